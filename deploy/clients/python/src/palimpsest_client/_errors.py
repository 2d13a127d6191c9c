"""The errors of the client. Each message says what happened and, where the service says so, what to do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

Effect = Literal["none", "unknown"]


class PalimpsestError(Exception):
    """The base of all errors of this package.

    `effect` is "none" when the call certainly changed nothing, and "unknown" when the service may have executed it.
    A repeat with the same idempotency key is harmless in both cases.
    """

    def __init__(self, message: str, *, effect: Effect = "none", idempotency_key: str | None = None) -> None:
        """Keep the key of the call, so that the caller can repeat it."""
        super().__init__(message)
        self.effect: Effect = effect
        self.idempotency_key = idempotency_key


class ServiceUnreachable(PalimpsestError):
    """No answer came, after all retries."""


class InvalidAnswer(PalimpsestError):
    """The answer is not one of the service: the page of a proxy, or a redirect."""


class ApiError(PalimpsestError):
    """The service answered with an error."""

    def __init__(
        self,
        status: int,
        body: Mapping[str, Any],
        *,
        effect: Effect = "none",
        idempotency_key: str | None = None,
    ) -> None:
        """Read the fields of the error envelope."""
        message = _text(body, "message") or _text(body, "detail") or f"HTTP {status}"
        hint = _text(body, "hint")
        super().__init__(
            f"{message} ({status})" + (f": {hint}" if hint else ""), effect=effect, idempotency_key=idempotency_key
        )
        self.status = status
        self.message = message
        self.hint = hint
        self.field = _text(body, "field")
        self.request_id = _text(body, "request_id")
        self.body = dict(body)


class InvalidRequest(ApiError):
    """A value of the request is invalid (400, 405, 406, 408, 413, 415, 422); `field` names it."""


class NotAuthorized(ApiError):
    """The token is missing, wrong, or not enough (401, 403)."""


class NotFound(ApiError):
    """Nothing has this id or name (404, 410)."""


class Conflict(ApiError):
    """The state of the memory does not allow the call (409, 412)."""


class Unavailable(ApiError):
    """The service cannot answer now (429 or 5xx), after all retries."""


def error_of(status: int) -> type[ApiError]:
    """The class of the error for a status."""
    if status in (401, 403):
        return NotAuthorized
    if status in (404, 410):
        return NotFound
    if status in (409, 412):
        return Conflict
    if status == 429 or status >= 500:
        return Unavailable
    return InvalidRequest


def _text(body: Mapping[str, Any], name: str) -> str | None:
    value = body.get(name)
    return value if isinstance(value, str) else None
