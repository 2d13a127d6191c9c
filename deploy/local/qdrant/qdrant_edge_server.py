"""The Qdrant engine behind the part of Qdrant's REST API that the service calls; README.md lists what it covers.

    python -B qdrant_edge_server.py --dir DATA --port 6333
"""
import argparse
import logging
import re
import signal
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import orjson

import rest_json as rest
from storage import Storage

API_VERSION = "1.18.0"  # the version of the REST API; clients request it
MAX_BODY = 32 << 20
HEALTH = {"/healthz": b"healthz check passed", "/livez": b"healthz check passed", "/readyz": b"all shards are ready"}
log = logging.getLogger("qdrant-edge")


def routes(storage):
    """Rows of (method, pattern, handler). A handler takes the body, the `wait` flag, and the captured groups of the pattern."""
    def of(handler):
        return lambda body, wait, name: handler(storage.get(name), body, wait)

    def read(handler):
        return of(lambda it, body, wait: it.read(handler, body))

    def write(kind):
        return of(lambda it, body, wait: it.apply([(kind, body)], wait)[0])

    one, points = r"/collections/([^/]+)", r"/collections/([^/]+)/points"
    table = [
        ("GET", r"/", lambda body, wait: {"title": "the Qdrant engine, not the Qdrant server", "version": API_VERSION}),
        ("GET", r"/collections", lambda body, wait: storage.names()),
        ("GET", r"/aliases", lambda body, wait: storage.aliases_of()),
        ("POST", r"/collections/aliases", lambda body, wait: storage.change_aliases(body["actions"])),
        ("GET", one + r"/exists", lambda body, wait, name: storage.exists(name)),
        ("GET", one + r"/aliases", lambda body, wait, name: storage.aliases_of(name)),
        ("PUT", one, lambda body, wait, name: storage.create(name, body)),
        ("DELETE", one, lambda body, wait, name: storage.delete(name)),
        ("GET", one, of(lambda it, body, wait: it.info())),
        ("PUT", one + r"/index", of(lambda it, body, wait: it.update(rest.index_operation(body), wait))),
        ("PUT", points, write("upsert")),
        ("POST", points + r"/delete", write("delete")),
        ("POST", points + r"/batch", of(lambda it, body, wait: it.apply([item for each in body["operations"] for item in each.items()], wait))),
        ("POST", points, read(rest.retrieve_points)),
        ("POST", points + r"/scroll", read(rest.scroll_points)),
        ("POST", points + r"/count", read(rest.count_points)),
        ("POST", points + r"/query", read(rest.query_points)),
        ("POST", points + r"/query/batch", read(rest.query_batch)),
    ]
    return [(method, re.compile(pattern), handler) for method, pattern, handler in table]


class Handler(BaseHTTPRequestHandler):
    protocol_version, wbufsize, disable_nagle_algorithm, table = "HTTP/1.1", 1 << 16, True, []

    def log_message(self, *args):
        """Logs no line for each request."""

    def handle_request(self):
        try:
            self.respond(time.perf_counter(), urlsplit(self.path))
        except ConnectionError:
            self.close_connection = True  # the client has closed the connection
        except Exception as error:
            answer = rest.from_engine(error)
            if answer.status >= 500:
                log.error("%s %s: %s", self.command, self.path, answer, exc_info=error)
            self.answer(answer.status, {"status": {"error": str(answer)}, "time": 0})

    do_GET = do_PUT = do_POST = do_PATCH = do_DELETE = handle_request

    def respond(self, started, url):
        raw = self.read_body()
        if url.path in HEALTH:
            return self.send(200, HEALTH[url.path], "text/plain; charset=utf-8")
        try:
            body = orjson.loads(raw) if raw else {}
        except ValueError as error:
            raise rest.format_error(error) from None
        wait = parse_qs(url.query).get("wait", ["false"])[-1] == "true"
        for method, pattern, handler in self.table:
            found = pattern.fullmatch(url.path)
            if method == self.command and found:
                result = handler(body, wait, *map(unquote, found.groups()))
                if url.path == "/":
                    return self.answer(200, result)
                return self.answer(200, {"result": result, "status": "ok", "time": time.perf_counter() - started})
        raise rest.unsupported(f"{self.command} {url.path}")

    def read_body(self):
        length = int(self.headers.get("Content-Length") or 0)
        if self.headers.get("Transfer-Encoding"):
            self.close_connection = True
            raise rest.ApiError(411, "Content-Length is required")
        if length > MAX_BODY:
            self.close_connection = True
            raise rest.ApiError(400, f"JSON payload ({length} bytes) is larger than allowed (limit: {MAX_BODY} bytes).")
        return self.rfile.read(length)

    def answer(self, status, value):
        self.send(status, orjson.dumps(value), "application/json")

    def send(self, status, data, kind):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)
        self.wfile.flush()


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--dir", type=Path, required=True)
    options.add_argument("--host", default="127.0.0.1")
    options.add_argument("--port", type=int, default=6333)
    options.add_argument("--build-hnsw", action="store_true", help="build the HNSW graph after two seconds without a request")
    options = options.parse_args()
    logging.basicConfig(level=logging.INFO, stream=sys.stderr, format="%(asctime)s %(levelname)s %(message)s")
    sys.setswitchinterval(0.001)  # parsing a large body must not delay small requests
    storage, stopping = Storage(options.dir), threading.Event()
    Handler.table, ThreadingHTTPServer.request_queue_size = routes(storage), 128
    server = ThreadingHTTPServer((options.host, options.port), Handler)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopping.set())
    threading.Thread(target=server.serve_forever, daemon=True).start()
    log.info("ready on %s:%s with %s collection(s)", options.host, options.port, len(storage.collections))
    while not stopping.wait(1.0):
        storage.maintain(options.build_hnsw)
    server.shutdown()
    storage.close()
    log.info("stopped")


if __name__ == "__main__":
    main()
