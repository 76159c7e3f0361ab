from memgardend.daemon.cli.app import main

main()
