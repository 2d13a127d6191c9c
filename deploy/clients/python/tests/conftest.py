"""A running service, and stand-ins for services that fail."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from palimpsest_client import Client

REPOSITORY = Path(__file__).resolve().parents[4]
TOKEN = "token-of-the-caller"
ADMIN_TOKEN = "token-of-the-administrator"


@pytest.fixture(scope="session")
def service_url() -> Iterator[str]:
    """The address in PALIMPSEST_URL, or that of an embedded service of this run."""
    given = os.environ.get("PALIMPSEST_URL")
    if given:
        yield given
        return
    with (
        tempfile.TemporaryDirectory() as folder,
        subprocess.Popen(
            ["node", str(REPOSITORY / "dist/deploy/embedded/main.js")],
            cwd=folder,
            env={
                "PATH": os.environ["PATH"],
                "HOME": folder,
                "PORT": "0",
                "PALIMPSEST_DATA_DIR": folder,
                "AUTOMEM_API_TOKEN": TOKEN,
                "ADMIN_API_TOKEN": ADMIN_TOKEN,
                # A busy machine may take longer to index a memory than a recall waits by default.
                "RECALL_FRESH_WAIT_MS": "20000",
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        ) as process,
    ):
        assert process.stdout
        lines = []
        for line in process.stdout:
            lines.append(line)
            found = re.search(r"http://[^\s:]+:(\d+)", line)
            if found:
                break
        else:
            raise AssertionError("".join(lines))
        # The pipe is read to the end, so that the service never waits for it.
        threading.Thread(target=process.stdout.read, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{found.group(1)}"
        finally:
            process.terminate()


@pytest.fixture
def client(service_url: str) -> Iterator[Client]:
    """A client with both tokens, and with time for a busy machine."""
    with Client(service_url, TOKEN, admin_token=ADMIN_TOKEN, timeout=120) as opened:
        yield opened


def eventually(what: str, check: Callable[[], bool], seconds: float = 60) -> None:
    """Wait until the check is true."""
    deadline = time.monotonic() + seconds
    while not check():
        assert time.monotonic() < deadline, f"{what} took longer than {seconds} s"
        time.sleep(0.2)


@dataclass
class StandIn:
    """Answers with the given replies, one after the other; the last one again and again."""

    url: str = ""
    requests: list[tuple[str, str, dict[str, str], bytes]] = field(default_factory=list)

    def keys(self) -> list[str | None]:
        """The idempotency key of each request."""
        return [headers.get("Idempotency-Key") for _, _, headers, _ in self.requests]


Reply = Callable[[BaseHTTPRequestHandler], None]


@contextlib.contextmanager
def stand_in(*replies: Reply) -> Iterator[StandIn]:
    """Start a server on a free port."""
    state = StandIn()

    class Handler(BaseHTTPRequestHandler):
        def answer(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            state.requests.append((self.command, self.path, dict(self.headers), body))
            replies[min(len(state.requests), len(replies)) - 1](self)

        do_GET = do_POST = do_PATCH = do_DELETE = answer

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        state.url = f"http://127.0.0.1:{server.server_port}"
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield state
        finally:
            server.shutdown()


def reply(status: int, body: bytes = b"{}", **headers: str) -> Reply:
    """A whole answer."""

    def send(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    return send


def cut_off(handler: BaseHTTPRequestHandler) -> None:
    """An answer that ends in the middle of its body."""
    handler.send_response(201)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"memory_id": "')
    handler.close_connection = True
