# What every stand-in does first: it notes its call under $HOME/seen, and learns its mood from $HOME/mood.
mood=$(cat "$HOME/mood")
mkdir -p "$HOME/seen"
printf '%s\n' "$@" >"$HOME/seen/argv"
env >"$HOME/seen/env"
pwd >"$HOME/seen/cwd"
cat >"$HOME/seen/stdin"
answer='{"operations": [], "questions": [], "summary": "ready"}'
quoted='"{\"operations\": [], \"questions\": [], \"summary\": \"ready\"}"'
