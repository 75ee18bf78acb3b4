"""Run the snippets of docs/how-to/serving.md for nginx and Caddy, with other ports, files and certificates only.

A link, a view, an order and a stream without delay go through each proxy. With `UMPIRE_PROXIES=needed` a missing
proxy is a failure; otherwise it is skipped.
"""

import os
import re
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

pytest.importorskip("litestar", reason="the service needs the extra `serve`: pip install '.[serve]'")

import httpx

from tests.cli.post_office import TLS, free_port
from tests.docs import pages
from tests.service.served import PATIENCE, Served

PAGE = (pages.ROOT / "docs" / "how-to" / "serving.md").read_text(encoding="utf-8")
NAME = "umpire.example.org"
AT = f"https://{NAME}"
GONE = 12.0
"""Seconds within which a reader that has gone is no longer listened for: less than it takes to write to it again."""
PROMPT = 3.0
"""Seconds within which an order is in a stream; a proxy that held it back would keep it for good."""


def snippet(name: str) -> str:
    """Return the block below `name:` on the page."""
    found = re.search(rf"^{name}:\n\n```\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    assert found, name
    return found[1]


def program(name: str) -> str:
    found = shutil.which(name) or shutil.which(name, path="/usr/sbin:/usr/local/sbin")
    if not found:
        assert os.environ.get("UMPIRE_PROXIES") != "needed", f"{name} is not installed"
        pytest.skip(f"{name} is not installed")
    return found


@contextmanager
def running(command: list[str], port: int, folder: Path) -> Iterator[None]:
    """Run a proxy until the end; print its output if it does not listen."""
    environment = {**os.environ, "HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    with (folder / "said").open("w") as said:
        proxy = subprocess.Popen(command, cwd=folder, env=environment, stdout=said, stderr=said)
    try:
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and proxy.poll() is None:
            with closing(socket.socket()) as line:
                if line.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        else:
            raise AssertionError((folder / "said").read_text())
        yield
    finally:
        proxy.terminate()
        proxy.wait(PATIENCE)


@contextmanager
def nginx(folder: Path, served: Served, port: int) -> Iterator[None]:
    found = program("nginx")
    server = snippet("nginx").replace("listen 443 ssl", f"listen 127.0.0.1:{port} ssl")
    for before, after in (
        ("/etc/ssl/umpire.pem", str(TLS / "certificate.pem")),
        ("/etc/ssl/umpire.key", str(TLS / "key.pem")),
        ("http://127.0.0.1:8470", served.address),
    ):
        assert before in server
        server = server.replace(before, after)
    places = "".join(
        f"{kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    user = "user root;\n" if os.geteuid() == 0 else ""
    around = f"daemon off;\n{user}pid {folder}/pid;\nerror_log stderr;\nevents {{}}\n"
    whole = f"{around}http {{\naccess_log off;\n{places}{server}}}\n"
    (folder / "nginx.conf").write_text(whole)
    command = [found, "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", "stderr"]
    checked = subprocess.run([*command, "-t"], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stderr
    with running(command, port, folder):
        yield


@contextmanager
def caddy(folder: Path, served: Served, port: int) -> Iterator[None]:
    found = program("caddy")
    site = snippet("Caddy")
    assert "127.0.0.1:8470" in site
    alone = (
        f"{{\nadmin off\nlocal_certs\nskip_install_trust\nauto_https disable_redirects\n"
        f"https_port {port}\ndefault_bind 127.0.0.1\n}}\n"
    )
    (folder / "Caddyfile").write_text(alone + site.replace("127.0.0.1:8470", f"127.0.0.1:{served.port}"))
    command = [found, "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]
    checked = subprocess.run(
        [found, "validate", *command[1:]], capture_output=True, text=True, check=False, env={"HOME": str(folder)}
    )
    assert checked.returncode == 0, checked.stderr
    with running([found, "run", *command[1:]], port, folder):
        yield


@pytest.mark.parametrize("proxy", [nginx, caddy], ids=["nginx", "caddy"])
def test_proxy_forwards_link_view_order_and_stream(place: Path, proxy: object) -> None:
    served, port = Served(place, "--rate", "5000", "--at", AT), free_port()
    folder = place / "proxy"
    folder.mkdir()
    secure = {"sni_hostname": NAME}
    with (
        proxy(folder, served, port),
        httpx.Client(  # type: ignore[operator]
            base_url=f"https://127.0.0.1:{port}",
            verify=False,
            trust_env=False,
            timeout=PATIENCE,
            headers={"Host": NAME},
        ) as people,
    ):
        link = {"token": served.token("first", "red", "link")}
        foreign = people.post("/session", json=link, headers={"Origin": "https://evil.example"}, extensions=secure)
        assert foreign.status_code == 403
        came = people.post("/session", json=link, headers={"Origin": AT}, extensions=secure)
        assert came.status_code == 200, came.text
        assert came.headers["set-cookie"].startswith("__Host-umpire=")
        cookie = {"Cookie": came.headers["set-cookie"].partition(";")[0]}
        look = people.get("/games/first/status", headers=cookie, extensions=secure)
        assert look.json()["seat"] == "red"
        etag = {**cookie, "If-None-Match": look.headers["etag"]}
        assert people.get("/games/first/status", headers=etag, extensions=secure).status_code == 304
        with people.stream("GET", "/games/first/stream", headers=cookie, extensions=secure) as stream:
            lines = stream.iter_lines()
            assert next(lines) == "retry: 1000"
            began = time.monotonic()
            given = people.post(
                "/games/first/orders",
                json={"order": "note", "text": "through a proxy"},
                headers={**cookie, "Origin": AT, "Idempotency-Key": "k"},
                extensions=secure,
            )
            assert given.status_code == 200, given.text
            came_through = next(line for line in lines if line.startswith("data"))
            assert "through a proxy" in came_through
            assert time.monotonic() - began < PROMPT
        watch = served.program("", "referee")
        until = time.monotonic() + GONE
        while "\numpire_streams_open 0\n" not in (counted := watch.get("/metrics").text):
            assert time.monotonic() < until, f"who has gone is still listened for: {counted}"
            time.sleep(0.2)
        told = [one for one in served.requests() if one["path"] == "/games/first/orders"]
        assert [one["command"] for one in told] == ["k"]
    served.stop()
