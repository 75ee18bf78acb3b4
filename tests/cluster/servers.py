"""Run real PostgreSQL servers of Debian's packages for the tests, with etcd and Patroni.

They listen on free loopback ports, keep everything in a folder that is deleted with them, and run as user `postgres` if
root runs the tests, because PostgreSQL does not start as root. If a package is missing, the tests are skipped with the
reason; with `UMPIRE_CLUSTER=needed` they fail.
"""

from __future__ import annotations

import contextlib
import json
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.cli.post_office import free_port
from tests.databases import connected

PACKAGES = "postgresql-15 patroni etcd-server"
NOBODYS = "postgres"
PATIENCE = 90.0
"""Seconds until something has started on a busy machine."""
SMALL = {
    "shared_buffers": "32MB",
    "max_connections": "100",
    "max_wal_size": "256MB",
    "dynamic_shared_memory_type": "mmap",
}


def needed(*programs: str) -> dict[str, str]:
    """Return the paths of these programs. Skip the test, or fail it, if one is missing."""
    places = os.pathsep.join([*_newest_first(), os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/bin"])
    found = {program: shutil.which(program, path=places) for program in programs}
    missing = [program for program, place in found.items() if place is None]
    if missing:
        what = f"{', '.join(missing)} not installed: apt-get install {PACKAGES}"
        assert os.environ.get("UMPIRE_CLUSTER") != "needed", what
        pytest.skip(what)
    return {program: str(Path(str(place)).resolve()) for program, place in found.items()}


def _newest_first() -> list[str]:
    return sorted(map(str, Path("/usr/lib/postgresql").glob("*/bin")), reverse=True)


@contextlib.contextmanager
def own_folder() -> Iterator[Path]:
    """Yield a folder that belongs to the user of the servers."""
    folder = Path(tempfile.mkdtemp(prefix="umpire-cluster-"))
    if os.geteuid() == 0:
        shutil.chown(folder, NOBODYS, NOBODYS)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _as_nobody() -> dict[str, Any]:
    """Return the options that start a process without root's rights."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PG", "VIRTUAL"))}
    if os.geteuid() != 0:
        return {"env": clean}
    who = pwd.getpwnam(NOBODYS)
    return {"user": who.pw_uid, "group": who.pw_gid, "extra_groups": [], "env": {**clean, "HOME": "/tmp"}}


def run(*command: str | Path) -> str:
    """Return the output of a command of the servers' user, which must succeed."""
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False, cwd="/", **_as_nobody())
    assert done.returncode == 0, (command, done.stdout, done.stderr)
    return done.stdout


def start(folder: Path, name: str, *command: str | Path) -> subprocess.Popen[bytes]:
    """Start a program of the servers' user that keeps running, with its log in its folder."""
    said = (folder / f"{name}.log").open("ab")
    with said:
        return subprocess.Popen(
            list(map(str, command)), stdout=said, stderr=said, cwd="/", start_new_session=True, **_as_nobody()
        )


def until(true: Callable[[], object], what: str, seconds: float = PATIENCE) -> None:
    """Wait until a condition is true."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, f"waited {seconds:.0f} s until {what}"
        time.sleep(0.1)


class Server:
    """One PostgreSQL server. `url` is that of its superuser."""

    def __init__(self, folder: Path, name: str, settings: Mapping[str, str] | None = None) -> None:
        self.bin = Path(needed("initdb")["initdb"]).parent
        self.port = free_port()
        self.data = folder / name
        self._folder, self._name = folder, name
        self._settings = {**SMALL, **(settings or {})}
        self._process: subprocess.Popen[bytes] | None = None

    def lay(self) -> Server:
        """Make an empty one."""
        run(self.bin / "initdb", "-D", self.data, "-A", "trust", "-U", NOBODYS, "-E", "UTF8", "--no-sync", "-N")
        return self

    def start(self) -> Server:
        settings = {**self._settings, "port": str(self.port), "listen_addresses": "127.0.0.1"}
        settings["unix_socket_directories"] = str(self._folder)
        words = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        self._process = start(self._folder, self._name, self.bin / "postgres", "-D", self.data, *words)
        until(self.answers, f"{self._name} answers")
        return self

    def answers(self) -> bool:
        ready = [self.bin / "pg_isready", "-q", "-h", "127.0.0.1", "-p", str(self.port)]
        return subprocess.run(list(map(str, ready)), check=False).returncode == 0

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """SIGINT: at once, and in order; SIGQUIT: as if it crashed."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(PATIENCE)
            self._process = None

    def processes(self) -> list[int]:
        """Return the numbers of all its processes."""
        assert self._process is not None
        return [self._process.pid, *_children(self._process.pid)]

    def databases(self) -> list[str]:
        """Return the names of its databases, except the server's own."""
        select = "SELECT datname FROM pg_database WHERE datname NOT LIKE 'template%' AND datname <> 'postgres'"
        with connected(self.url()) as connection:
            return [name for (name,) in connection.execute(select).fetchall()]

    def url(self, database: str = "postgres", user: str = NOBODYS) -> str:
        return f"postgresql://{user}@127.0.0.1:{self.port}/{database}"


class Node:
    """A PostgreSQL server under Patroni."""

    def __init__(self, folder: Path, name: str, etcd: int) -> None:
        self.name = name
        self.port, self.rest = free_port(), free_port()
        self.data = folder / name
        self._folder, self._process = folder, None
        self._file = folder / f"{name}.yml"
        self._file.write_text(json.dumps(self._settings(etcd)), encoding="utf-8")  # YAML reads JSON

    _process: subprocess.Popen[bytes] | None

    def _settings(self, etcd: int) -> dict[str, Any]:
        postgres = Path(needed("initdb")["initdb"]).parent
        own = {"listen": f"127.0.0.1:{self.port}", "connect_address": f"127.0.0.1:{self.port}"}
        everybody = [
            "local all all trust",
            "host all all 127.0.0.1/32 trust",
            "host replication all 127.0.0.1/32 trust",
        ]
        return {
            "scope": "umpire",
            "name": self.name,
            "restapi": {"listen": f"127.0.0.1:{self.rest}", "connect_address": f"127.0.0.1:{self.rest}"},
            "etcd3": {"host": f"127.0.0.1:{etcd}"},
            "bootstrap": {
                "dcs": {
                    "ttl": 20,
                    "loop_wait": 5,
                    "retry_timeout": 5,
                    "synchronous_mode": True,
                    "postgresql": {"use_pg_rewind": True, "parameters": {**SMALL, "wal_log_hints": "on"}},
                },
                "initdb": [{"encoding": "UTF8"}, {"auth-local": "trust"}, {"auth-host": "trust"}],
            },
            "postgresql": {
                **own,
                "data_dir": str(self.data),
                "bin_dir": str(postgres),
                "pg_hba": everybody,
                "pgpass": str(self._folder / f"{self.name}.pgpass"),
                "parameters": {"unix_socket_directories": str(self._folder)},
                "remove_data_directory_on_rewind_failure": True,
                "remove_data_directory_on_diverged_timelines": True,
                "authentication": {"superuser": {"username": NOBODYS}, "replication": {"username": "replicator"}},
            },
        }

    def start(self) -> None:
        self._process = start(self._folder, self.name, needed("patroni")["patroni"], self._file)

    def role(self) -> str:
        """Return Patroni's role for it: leader, sync_standby, replica; "" if Patroni names none or does not run yet."""
        for member in self._members():
            if member["name"] == self.name and member["state"] in ("running", "streaming"):
                return str(member["role"])
        return ""

    def _members(self) -> list[dict[str, Any]]:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.rest}/cluster", timeout=2) as answer:
                return list(json.load(answer)["members"])
        except (OSError, ValueError):
            return []

    def kill(self) -> None:
        """Kill Patroni and every process of its server with `kill -9`."""
        assert self._process is not None
        victims = [self._process.pid]
        with contextlib.suppress(OSError, ValueError, IndexError):
            postmaster = int((self.data / "postmaster.pid").read_text().split()[0])
            victims += [postmaster, *_children(postmaster)]
        for victim in victims:
            with contextlib.suppress(ProcessLookupError):
                os.kill(victim, signal.SIGKILL)
        self._process.wait(PATIENCE)
        self._process = None

    @property
    def runs(self) -> bool:
        return self._process is not None


def _children(process: int) -> list[int]:
    return [int(word) for word in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


class Cluster:
    """A primary and a synchronous standby under Patroni, with one etcd."""

    def __init__(self, folder: Path) -> None:
        needed("etcd", "patroni", "initdb")
        self._folder = folder
        self._etcd_port, peers = free_port(), free_port()
        client, peer = f"http://127.0.0.1:{self._etcd_port}", f"http://127.0.0.1:{peers}"
        self._etcd = start(
            folder,
            "etcd",
            *(needed("etcd")["etcd"], "--data-dir", folder / "etcd", "--name", "one", "--unsafe-no-fsync"),
            *("--listen-client-urls", client, "--advertise-client-urls", client),
            *("--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer, "--initial-cluster", f"one={peer}"),
        )
        self.nodes = [Node(folder, name, self._etcd_port) for name in ("one", "two")]

    def start(self) -> None:
        """Start both nodes and wait until one follows the other."""
        for node in self.nodes:
            node.start()
        self.wait_for_standby()

    def with_role(self, *roles: str) -> list[Node]:
        return [node for node in self.nodes if node.runs and node.role() in roles]

    def wait_for_standby(self) -> None:
        until(lambda: self.with_role("leader") and self.with_role("sync_standby"), "a synchronous standby follows")

    def primary(self) -> Node:
        until(lambda: self.with_role("leader"), "there is a primary")
        return self.with_role("leader")[0]

    def url(self, database: str = "postgres") -> str:
        """Both servers, as a club's members have it."""
        hosts = ",".join(f"127.0.0.1:{node.port}" for node in self.nodes)
        return f"postgresql://{NOBODYS}@{hosts}/{database}?target_session_attrs=read-write"

    def stop(self) -> None:
        for node in self.nodes:
            if node.runs:
                node.kill()
        self._etcd.kill()
        self._etcd.wait(PATIENCE)

    def said(self, names: Sequence[str] = ("one", "two")) -> str:
        """Return the end of the nodes' logs, to help find a fault."""
        logs = [(self._folder / f"{name}.log").read_text(errors="replace")[-3000:] for name in names]
        return "\n".join(logs)
