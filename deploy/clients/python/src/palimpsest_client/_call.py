"""What the blocking and the asynchronous client share: how a call becomes a request, and what its answer means."""

from __future__ import annotations

import json
import math
import uuid
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

import httpx

from ._errors import ApiError, Effect, InvalidAnswer, PalimpsestError, ServiceUnreachable, error_of

USER_AGENT = "palimpsest-client/0.1.0"
#: Seconds for one attempt.
TIMEOUT = 25.0
#: Seconds before each retry; their number is the number of retries.
RETRY_DELAYS = (0.5, 1.0, 2.0)
#: Seconds of silence after which a stream has ended: the service sends a comment more often.
STREAM_TIMEOUT = 60.0
#: The service may ask for a longer wait, up to this many seconds.
LONGEST_RETRY_AFTER = 30.0


def headers_of(token: str | None, admin_token: str | None) -> dict[str, str]:
    """Headers of every request."""
    headers = {"User-Agent": USER_AGENT, "Accept": "application/json"}
    if token is not None:
        headers["Authorization"] = f"Bearer {token}"
    if admin_token is not None:
        headers["X-Admin-Token"] = admin_token
    return headers


def base_url_of(url: str) -> str:
    """Check the address early, because httpx names neither the argument nor a remedy."""
    if not url.startswith(("http://", "https://")):
        raise ValueError(
            f"base_url must begin with http:// or https://, for example http://127.0.0.1:8001; it is {url!r}"
        )
    return url.rstrip("/")


@dataclass
class Call:
    """One call and its attempts."""

    method: str
    url: str
    query: httpx.QueryParams
    headers: dict[str, str]
    content: bytes | None
    #: A repeat has no second effect.
    is_repeatable: bool
    delays: Iterator[float]
    may_have_effect: bool = field(default=False)

    @property
    def effect(self) -> Effect:
        """Whether the service may have executed the call."""
        return "unknown" if self.may_have_effect and self.method != "GET" else "none"

    @property
    def key(self) -> str | None:
        """The idempotency key."""
        return self.headers.get("Idempotency-Key")

    def failed(self, error: httpx.TransportError) -> float:
        """Return the seconds until the next attempt; raise when none is left, or when it could repeat the effect."""
        was_sent = not isinstance(error, httpx.ConnectError | httpx.ConnectTimeout | httpx.UnsupportedProtocol)
        self.may_have_effect = self.may_have_effect or was_sent
        delay = next(self.delays, None)
        if delay is not None and (self.is_repeatable or not was_sent):
            return delay
        is_late = isinstance(error, httpx.TimeoutException)
        reason = "did not answer in time" if is_late else f"could not be reached: {error or type(error).__name__}"
        address = "/".join(self.url.split("/", 3)[:3])
        raise ServiceUnreachable(
            f"The service at {address} {reason}", effect=self.effect, idempotency_key=self.key
        ) from error

    def answered(self, status: int, headers: Mapping[str, str], content: bytes) -> float | Answer:
        """Return the body of a success, or the seconds to wait before the next attempt; raise for a final error."""
        body = _json_object(content)
        if 300 <= status < 400:
            location = headers.get("location", "another address")
            raise InvalidAnswer(
                f"The service redirects to {location}: use the address that it redirects to",
                effect=self.effect,
                idempotency_key=self.key,
            )
        if status < 300:
            if body is None:
                self.may_have_effect = True
                raise InvalidAnswer(
                    f"The answer ({status}) is no JSON object: check base_url",
                    effect=self.effect,
                    idempotency_key=self.key,
                )
            return Answer(body)
        self.may_have_effect = self.may_have_effect or status >= 500
        retry_after = _seconds(headers.get("retry-after"))
        is_temporary = status >= 500 or (status in (409, 429) and retry_after is not None)
        # Operations without a key are jobs and switches: the service refuses them before they begin.
        is_safe = self.is_repeatable or (status in (429, 503) and retry_after is not None)
        if is_temporary and is_safe:
            delay = next(self.delays, None)
            if delay is not None:
                return max(delay, retry_after or 0.0)
        error: type[ApiError] = error_of(status)
        raise error(status, body or {}, effect=self.effect, idempotency_key=self.key)


@dataclass(frozen=True)
class Answer:
    """The body of a success; a wait is a plain number."""

    body: dict[str, Any]


def call_of(
    base_url: str,
    method: str,
    path: str,
    *,
    delays: tuple[float, ...],
    path_values: Mapping[str, object] | None = None,
    query: Mapping[str, object] | None = None,
    joined: Set[str] = frozenset(),
    body: object = None,
    repeatable: bool = False,
    idempotency_key: str | None = None,
    if_match: str | None = None,
) -> Call:
    """Prepare the request of an operation. A repeatable one gets an idempotency key, which all its attempts share."""
    filled = path
    for name, value in (path_values or {}).items():
        filled = filled.replace("{" + name + "}", quote(_text(value), safe=""))
    headers: dict[str, str] = {}
    content: bytes | None = None
    if body is not None:
        headers["Content-Type"] = "application/json"
        content = _encoded(body)
    if repeatable:
        headers["Idempotency-Key"] = idempotency_key or str(uuid.uuid4())
    if if_match is not None:
        headers["If-Match"] = if_match
    return Call(
        method=method,
        url=base_url + filled,
        query=httpx.QueryParams(list(_query_pairs(query or {}, joined))),
        headers=headers,
        content=content,
        is_repeatable=method == "GET" or repeatable,
        delays=iter(delays),
    )


def _encoded(body: object) -> bytes:
    try:
        return json.dumps(body, ensure_ascii=False, allow_nan=False).encode()
    except (TypeError, ValueError, UnicodeEncodeError) as error:
        raise PalimpsestError(f"The body cannot be sent as JSON: {error}") from error


def _query_pairs(query: Mapping[str, object], joined: Set[str]) -> Iterator[tuple[str, str]]:
    for name, value in query.items():
        if value is None:
            continue
        if isinstance(value, list | tuple):
            texts = [_text(one) for one in value]
            yield from [(name, ",".join(texts))] if name in joined else [(name, text) for text in texts]
        else:
            yield (name, _text(value))


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def _json_object(content: bytes) -> dict[str, Any] | None:
    try:
        body = json.loads(content)
    except ValueError:
        return None
    return body if isinstance(body, dict) else None


def _seconds(text: str | None) -> float | None:
    try:
        seconds = float(text) if text is not None else math.nan
    except ValueError:
        return None
    return min(LONGEST_RETRY_AFTER, max(0.0, seconds)) if math.isfinite(seconds) else None
