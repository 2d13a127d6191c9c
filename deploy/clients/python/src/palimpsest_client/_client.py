"""The blocking client."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

import httpx

from ._call import RETRY_DELAYS, STREAM_TIMEOUT, TIMEOUT, Answer, base_url_of, call_of, headers_of
from ._frames import FrameReader, StreamEvent
from ._generated import Operations


class Client(Operations):
    """Calls the service. One client may be used by many threads.

    Args:
        base_url: For example `http://127.0.0.1:8001`.
        token: `AUTOMEM_API_TOKEN` of the service, if it has one.
        admin_token: `ADMIN_API_TOKEN`, for the operations of an administrator.
        timeout: Seconds for one attempt.
        retry_delays: Seconds before each retry; `()` for none. `Retry-After` lengthens a wait.
        http_client: A client of httpx to use in place of an own one, for proxies and certificates. It stays open.
    """

    def __init__(
        self,
        base_url: str,
        token: str | None = None,
        *,
        admin_token: str | None = None,
        timeout: float = TIMEOUT,
        retry_delays: Sequence[float] = RETRY_DELAYS,
        http_client: httpx.Client | None = None,
    ) -> None:
        """Open no connection yet."""
        self._base_url = base_url_of(base_url)
        self._headers = headers_of(token, admin_token)
        self._timeout = timeout
        self._delays = tuple(retry_delays)
        self._http = http_client or httpx.Client()
        self._is_own = http_client is None

    def _call(self, method: str, path: str, **given: Any) -> Any:
        call = call_of(self._base_url, method, path, delays=self._delays, **given)
        while True:
            try:
                response = self._http.request(
                    call.method,
                    call.url,
                    params=call.query,
                    headers=self._headers | call.headers,
                    content=call.content,
                    timeout=self._timeout,
                    follow_redirects=False,
                )
            except httpx.TransportError as error:
                outcome: Any = call.failed(error)
            else:
                outcome = call.answered(response.status_code, response.headers, response.content)
            if isinstance(outcome, Answer):
                return outcome.body
            time.sleep(outcome)

    def stream(self, *, after: str | None = None, only: str | None = None) -> Iterator[StreamEvent]:
        """Follow the events as they happen, until the service or the caller ends it.

        Args:
            after: The id of an event: what follows it comes first.
            only: The types of events, separated by commas.
        """
        call = call_of(self._base_url, "GET", "/stream", delays=(), query={"after": after, "only": only})
        frames = FrameReader()
        try:
            with self._http.stream(
                "GET",
                call.url,
                params=call.query,
                headers=self._headers | {"Accept": "text/event-stream"},
                timeout=httpx.Timeout(self._timeout, read=STREAM_TIMEOUT),
            ) as response:
                if response.status_code >= 300:
                    call.answered(response.status_code, response.headers, response.read())
                for line in response.iter_lines():
                    yield from frames.feed(line)
        except httpx.TransportError as error:
            call.failed(error)

    def backup(self, path: str | os.PathLike[str], *, include: str | None = None, history: bool | None = None) -> Path:
        """Write a backup to a file. The file appears when it is complete.

        Args:
            path: The file, whose name usually ends with `.tar.gz`.
            include: The parts of the backup, separated by commas.
            history: Whether the journal is included.
        """
        call = call_of(self._base_url, "GET", "/backup", delays=(), query={"include": include, "history": history})
        target = Path(path)
        partial = target.with_name(target.name + ".partial")
        try:
            with self._http.stream(
                "GET", call.url, params=call.query, headers=self._headers, timeout=self._timeout
            ) as response:
                if response.status_code >= 300:
                    call.answered(response.status_code, response.headers, response.read())
                with partial.open("wb") as file:
                    for chunk in response.iter_bytes():
                        file.write(chunk)
            partial.replace(target)
        except httpx.TransportError as error:
            call.failed(error)
        finally:
            partial.unlink(missing_ok=True)
        return target

    def close(self) -> None:
        """Close the connections."""
        if self._is_own:
            self._http.close()

    def __enter__(self) -> Client:
        """Return this client."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the connections."""
        self.close()
