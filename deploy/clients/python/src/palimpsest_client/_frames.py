"""Reads server-sent events, as `GET /stream` sends them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class StreamEvent:
    """One event of the stream. `id` continues after it: `stream(after=event.id)`."""

    id: str | None
    event: str
    data: Any


class FrameReader:
    """Joins lines to events. Comments keep the connection alive and are no events."""

    def __init__(self) -> None:
        """Begin without an event."""
        self._id: str | None = None
        self._event = "message"
        self._data: list[str] = []

    def feed(self, line: str) -> Iterator[StreamEvent]:
        """Yield the event that this line ends, if any."""
        if line == "":
            if self._data:
                text = "\n".join(self._data)
                yield StreamEvent(self._id, self._event, _parsed(text))
            self._event, self._data = "message", []
            return
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            self._data.append(value)
        elif name == "event":
            self._event = value
        elif name == "id":
            self._id = value


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text
