"""The client for asyncio."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

import httpx

from ._call import RETRY_DELAYS, STREAM_TIMEOUT, TIMEOUT, Answer, base_url_of, call_of, headers_of
from ._frames import FrameReader, StreamEvent
from ._generated import AsyncOperations


class AsyncClient(AsyncOperations):
    """Calls the service from asyncio. The arguments are those of `Client`."""

    def __init__(
        self,
        base_url: str,
        token: str | None = None,
        *,
        admin_token: str | None = None,
        timeout: float = TIMEOUT,
        retry_delays: Sequence[float] = RETRY_DELAYS,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        """Open no connection yet."""
        self._base_url = base_url_of(base_url)
        self._headers = headers_of(token, admin_token)
        self._timeout = timeout
        self._delays = tuple(retry_delays)
        self._http = http_client or httpx.AsyncClient()
        self._is_own = http_client is None

    async def _call(self, method: str, path: str, **given: Any) -> Any:
        call = call_of(self._base_url, method, path, delays=self._delays, **given)
        while True:
            try:
                response = await self._http.request(
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
            await asyncio.sleep(outcome)

    async def stream(self, *, after: str | None = None, only: str | None = None) -> AsyncIterator[StreamEvent]:
        """Follow the events as they happen, as `Client.stream` does."""
        call = call_of(self._base_url, "GET", "/stream", delays=(), query={"after": after, "only": only})
        frames = FrameReader()
        try:
            async with self._http.stream(
                "GET",
                call.url,
                params=call.query,
                headers=self._headers | {"Accept": "text/event-stream"},
                timeout=httpx.Timeout(self._timeout, read=STREAM_TIMEOUT),
            ) as response:
                if response.status_code >= 300:
                    call.answered(response.status_code, response.headers, await response.aread())
                async for line in response.aiter_lines():
                    for event in frames.feed(line):
                        yield event
        except httpx.TransportError as error:
            call.failed(error)

    async def backup(
        self, path: str | os.PathLike[str], *, include: str | None = None, history: bool | None = None
    ) -> Path:
        """Write a backup to a file, as `Client.backup` does."""
        call = call_of(self._base_url, "GET", "/backup", delays=(), query={"include": include, "history": history})
        target = Path(path)
        partial = target.with_name(target.name + ".partial")
        try:
            async with self._http.stream(
                "GET", call.url, params=call.query, headers=self._headers, timeout=self._timeout
            ) as response:
                if response.status_code >= 300:
                    call.answered(response.status_code, response.headers, await response.aread())
                with await asyncio.to_thread(partial.open, "wb") as file:
                    async for chunk in response.aiter_bytes():
                        await asyncio.to_thread(file.write, chunk)
            partial.replace(target)
        except httpx.TransportError as error:
            call.failed(error)
        finally:
            partial.unlink(missing_ok=True)
        return target

    async def close(self) -> None:
        """Close the connections."""
        if self._is_own:
            await self._http.aclose()

    async def __aenter__(self) -> AsyncClient:
        """Return this client."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the connections."""
        await self.close()
