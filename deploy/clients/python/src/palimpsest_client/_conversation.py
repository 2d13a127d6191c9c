"""Keeps the messages of a conversation as memories: one memory for each, under one tag."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

#: Most memories of one batch, and of one page.
BATCH = 500
PAGE = 200


def tag_of(session_id: str) -> str:
    """The tag of a conversation. Tags ignore letter case and read `:` as a level, and ids of conversations do not."""
    return "conversation:" + hashlib.sha256(session_id.encode()).hexdigest()[:32]


def items_of(session_id: str, messages: Sequence[tuple[str, Any]]) -> list[dict[str, Any]]:
    """The memories to store, from pairs of text and message. `order` also decides between messages of one moment."""
    began = time.time_ns()
    return [
        {
            "content": text if text.strip() else "(no text)",
            "tags": [tag_of(session_id)],
            "importance": 0.3,
            "metadata": {"conversation": session_id, "order": str(began + number), "message": message},
        }
        for number, (text, message) in enumerate(messages)
    ]


def in_order(memories: Iterable[Mapping[str, Any]]) -> list[tuple[str, Any]]:
    """The id and the message of each memory, oldest first."""
    stored = [memory for memory in memories if "message" in memory.get("metadata", {})]
    stored.sort(key=lambda memory: int(memory["metadata"]["order"]))
    return [(memory["id"], memory["metadata"]["message"]) for memory in stored]
