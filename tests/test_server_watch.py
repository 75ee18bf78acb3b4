"""Check that the PostgreSQL server of the tests ends with the run that started it."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.databases import folder_of
from tests.server_watch import POSTMASTER, is_running

ROOT = Path(__file__).parent.parent
USES_IT = """
import time

def test_it(postgres_server):
    open("started", "w").close()
    time.sleep(600)
"""


def wait_for(what: str, is_so: Callable[[], bool], seconds: float = 180) -> None:
    until = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < until, what
        time.sleep(0.1)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="Windows kills otherwise")
def test_killed_run_leaves_no_server(tmp_path: Path) -> None:
    pytest.importorskip("pgserver", reason="without the wheel `pgserver` there is no server to test with")
    (tmp_path / "test_it.py").write_text(USES_IT, "utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\n", "utf-8")
    run = f"kill{os.getpid()}"
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    environment |= {"PYTHONPATH": str(ROOT), "PYTEST_XDIST_TESTRUNUID": run}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.databases", "-p", "no:cacheprovider", "test_it.py"]
    folder = folder_of(run)
    running = subprocess.Popen(command, cwd=tmp_path, env=environment)
    try:
        wait_for("the server starts", (tmp_path / "started").is_file)
        postmaster = int((folder / POSTMASTER).read_text("utf-8").splitlines()[0])
        assert is_running(postmaster)
    finally:
        running.kill()
        running.wait()
    wait_for("the server ends", lambda: not is_running(postmaster), 30)
    wait_for("its folder goes", lambda: not folder.exists(), 30)
