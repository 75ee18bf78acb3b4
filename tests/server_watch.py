"""Stop the PostgreSQL server of a run whose processes were killed and can no longer stop it.

Every process that uses the server starts a watch process, and keeps the other end of its standard input open. When that
end closes and no process of the run is left, the watch stops the server at once and deletes its folder.
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
    """Start a watch for the calling process, which must keep the result to keep the watch alive."""
    command = [sys.executable, str(Path(__file__)), str(folder)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True)  # outlives a killed process group


def is_running(pid: int) -> bool:
    """Return whether a process is alive; a zombie is not."""
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
