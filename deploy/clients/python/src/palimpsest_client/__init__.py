"""Client of Palimpsest, a memory service for AI agents."""

from ._async_client import AsyncClient
from ._client import Client
from ._errors import (
    ApiError,
    Conflict,
    InvalidAnswer,
    InvalidRequest,
    NotAuthorized,
    NotFound,
    PalimpsestError,
    ServiceUnreachable,
    Unavailable,
)
from ._frames import StreamEvent

__all__ = [
    "ApiError",
    "AsyncClient",
    "Client",
    "Conflict",
    "InvalidAnswer",
    "InvalidRequest",
    "NotAuthorized",
    "NotFound",
    "PalimpsestError",
    "ServiceUnreachable",
    "StreamEvent",
    "Unavailable",
]
