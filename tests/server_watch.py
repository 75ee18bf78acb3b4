"""Stop the PostgreSQL server of a run whose processes were killed and can no longer stop it.

Every process that uses the server starts one of these and holds the other end of its standard input. When that closes
and no process of the run is left, the server is stopped at once and its folder deleted.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

HANDLES, POSTMASTER = ".handle_pids.json", "postmaster.pid"


def watch(folder: Path) -> subprocess.Popen[bytes]:
    """Start a watch for the calling process, which must keep the result: it keeps the watch alive."""
    command = [sys.executable, str(Path(__file__)), str(folder)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True)  # outlives a killed process group


def is_running(pid: int) -> bool:
    """Return whether a process lives; one that is dead and not yet waited for does not."""
    import psutil  # noqa: PLC0415 -- the wheel `pgserver` brings it

    with suppress(psutil.NoSuchProcess):
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    return False


def stop(folder: Path) -> None:
    """Stop the server of this folder, unless a process uses it, and delete the folder."""
    with suppress(FileNotFoundError):
        if any(is_running(pid) for pid in json.loads((folder / HANDLES).read_text("utf-8"))):
            return
        postmaster = int((folder / POSTMASTER).read_text("utf-8").splitlines()[0])
        with suppress(ProcessLookupError):
            os.kill(postmaster, signal.SIGQUIT)
    shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.stdin.buffer.read()
    stop(Path(sys.argv[1]))
