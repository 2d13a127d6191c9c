"""A session and two tools for the OpenAI Agents SDK. Needs `palimpsest-client[openai-agents]`."""

from __future__ import annotations

import json
from typing import Any, cast

from agents import Tool, TResponseInputItem, function_tool
from agents.memory import SessionABC

from ._async_client import AsyncClient
from ._conversation import BATCH, PAGE, in_order, items_of, tag_of


class PalimpsestSession(SessionABC):
    """The items of one conversation, each a memory with the tag of the conversation."""

    def __init__(self, client: AsyncClient, session_id: str) -> None:
        """`session_id` is any text that names the conversation."""
        self._client = client
        self.session_id = session_id

    async def _stored(self) -> list[tuple[str, Any]]:
        memories: list[dict[str, Any]] = []
        while True:
            page = await self._client.list_by_tag(tags=[tag_of(self.session_id)], limit=PAGE, offset=len(memories))
            memories.extend(cast("list[dict[str, Any]]", page["memories"]))
            if not page["has_more"]:
                return in_order(memories)

    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        """All items, oldest first, or the newest `limit` of them."""
        items = [item for _, item in await self._stored()]
        return items if limit is None else items[max(0, len(items) - limit) :]

    async def add_items(self, items: list[TResponseInputItem]) -> None:
        """Store the items. Up to 500 are stored all or none."""
        memories = items_of(self.session_id, [(_text_of(item), item) for item in items])
        for start in range(0, len(memories), BATCH):
            await self._client.store_batch(memories=cast("Any", memories[start : start + BATCH]))

    async def pop_item(self) -> TResponseInputItem | None:
        """Remove the newest item and return it; None when there is none."""
        stored = await self._stored()
        if not stored:
            return None
        memory_id, item = stored[-1]
        await self._client.delete_memory(memory_id)
        return cast("TResponseInputItem", item)

    async def clear_session(self) -> None:
        """Delete the items."""
        await self._client.delete_by_tag(tags=[tag_of(self.session_id)])


def _text_of(item: TResponseInputItem) -> str:
    content = item.get("content")
    return content if isinstance(content, str) else json.dumps(item, ensure_ascii=False)


def memory_tools(client: AsyncClient, *, tags: list[str] | None = None) -> list[Tool]:
    """Two tools for an agent: `remember` and `recall`. `tags` are set on what it stores and limit what it recalls."""

    @function_tool
    async def remember(content: str, importance: float = 0.5) -> str:
        """Store one fact, decision or preference for later conversations.

        Args:
            content: The fact, in one or two sentences that can be understood alone.
            importance: 0.9 for decisions, 0.5 for what may help.
        """
        stored = await client.store_memory(content=content, importance=importance, tags=tags or [])
        return f"Stored as {stored['memory_id']}"

    @function_tool
    async def recall(query: str, limit: int = 5) -> str:
        """Find what earlier conversations stored.

        Args:
            query: What you want to know, in plain words.
            limit: The most memories.
        """
        answer = await client.recall(query=query, limit=limit, tags=tags)
        found = [cast("dict[str, Any]", result)["memory"]["content"] for result in answer["results"]]
        return "\n".join(f"- {content}" for content in found) or "Nothing is stored about this."

    return [remember, recall]
