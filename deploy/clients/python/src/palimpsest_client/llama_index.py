"""A retriever for LlamaIndex. Needs `palimpsest-client[llama-index]`."""

from __future__ import annotations

from typing import Any, cast

from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

from ._client import Client


class PalimpsestRetriever(BaseRetriever):
    """Recalls memories as nodes, best first. The score of a node is the probability that it answers the query."""

    def __init__(
        self,
        client: Client,
        *,
        limit: int = 5,
        tags: list[str] | None = None,
        min_probability: float | None = None,
    ) -> None:
        """`tags`: only memories with one of them. `min_probability` drops those that are less likely to answer."""
        self._client = client
        self._limit = limit
        self._tags = tags
        self._min_probability = min_probability
        super().__init__()

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        answer = self._client.recall(
            query=query_bundle.query_str, limit=self._limit, tags=self._tags, min_probability=self._min_probability
        )
        return [_node(cast("dict[str, Any]", result)) for result in answer["results"]]


def _node(result: dict[str, Any]) -> NodeWithScore:
    memory = result["memory"]
    return NodeWithScore(
        node=TextNode(
            id_=result["id"],
            text=memory["content"],
            metadata={"type": memory["type"], "tags": memory["tags"], "timestamp": memory["timestamp"]},
        ),
        score=result.get("match_probability", result["final_score"]),
    )
