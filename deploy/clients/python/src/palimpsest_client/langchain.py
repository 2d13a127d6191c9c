"""A retriever and a history of messages for LangChain. Needs `palimpsest-client[langchain]`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.chat_history import BaseChatMessageHistory
from langchain_core.documents import Document
from langchain_core.messages import BaseMessage, message_to_dict, messages_from_dict
from langchain_core.retrievers import BaseRetriever
from pydantic import ConfigDict

from ._client import Client
from ._conversation import BATCH, PAGE, in_order, items_of, tag_of


class PalimpsestRetriever(BaseRetriever):
    """Recalls memories as documents, best first.

    The metadata of a document has the id, the tags and the time of the memory, its score, and the probability that it
    answers the query.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    client: Client
    #: The most documents.
    limit: int = 5
    #: Only memories with one of these tags.
    tags: list[str] | None = None
    #: Drops memories that are less likely to answer.
    min_probability: float | None = None

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        answer = self.client.recall(query=query, limit=self.limit, tags=self.tags, min_probability=self.min_probability)
        return [_document(cast("dict[str, Any]", result)) for result in answer["results"]]


def _document(result: dict[str, Any]) -> Document:
    memory = result["memory"]
    return Document(
        id=result["id"],
        page_content=memory["content"],
        metadata={
            "id": result["id"],
            "type": memory["type"],
            "tags": memory["tags"],
            "timestamp": memory["timestamp"],
            "score": result["final_score"],
            "match_probability": result.get("match_probability"),
        },
    )


class PalimpsestChatMessageHistory(BaseChatMessageHistory):
    """The messages of one conversation, each a memory with the tag of the conversation."""

    def __init__(self, client: Client, session_id: str) -> None:
        """`session_id` is any text that names the conversation."""
        self._client = client
        self._session_id = session_id

    @property
    def messages(self) -> list[BaseMessage]:  # type: ignore[override]
        """All messages, oldest first."""
        memories: list[dict[str, Any]] = []
        while True:
            page = self._client.list_by_tag(tags=[tag_of(self._session_id)], limit=PAGE, offset=len(memories))
            memories.extend(cast("list[dict[str, Any]]", page["memories"]))
            if not page["has_more"]:
                return messages_from_dict([message for _, message in in_order(memories)])

    def add_messages(self, messages: Sequence[BaseMessage]) -> None:
        """Store the messages. Up to 500 are stored all or none."""
        items = items_of(self._session_id, [(message.text, message_to_dict(message)) for message in messages])
        for start in range(0, len(items), BATCH):
            self._client.store_batch(memories=cast("Any", items[start : start + BATCH]))

    def clear(self) -> None:
        """Delete the messages."""
        self._client.delete_by_tag(tags=[tag_of(self._session_id)])
