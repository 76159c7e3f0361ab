"""Who we are, so that others can tell whether we still live."""

from __future__ import annotations

import os
import socket

from memgardend.core.records import Owner
from memgardend.daemon.procfs import boot_id, pid_namespace, process_start


def this_process() -> Owner:
    """This process as the owner of dreams."""
    pid = os.getpid()
    return Owner(
        host=socket.gethostname(),
        boot_id=boot_id(),
        pid_namespace=pid_namespace(),
        pid=pid,
        process_start=process_start(pid) or "",
    )
