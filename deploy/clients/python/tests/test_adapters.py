"""The adapters with the real libraries. The model is a stand-in that answers from a list."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator
from typing import Any

from conftest import TOKEN

from palimpsest_client import AsyncClient, Client


def unique(name: str) -> str:
    return f"{name}-{uuid.uuid4()}"


def test_langchain_retrieves_documents(client: Client) -> None:
    from palimpsest_client.langchain import PalimpsestRetriever

    tag = unique("langchain")
    stored = client.store_memory(content="The harbour office opens at seven.", tags=[tag])
    client.store_memory(content="Ben paints the fence.", tags=[tag])
    documents = PalimpsestRetriever(client=client, tags=[tag], limit=2).invoke("When does the harbour office open?")
    assert documents[0].page_content == "The harbour office opens at seven."
    assert documents[0].metadata["id"] == stored["memory_id"]
    assert documents[0].metadata["match_probability"] > documents[1].metadata["match_probability"]


def test_langchain_keeps_the_messages_of_each_conversation(client: Client) -> None:
    from langchain_core.language_models.fake_chat_models import FakeListChatModel
    from langchain_core.messages import AIMessage, HumanMessage, ToolCall
    from langchain_core.runnables.history import RunnableWithMessageHistory

    from palimpsest_client.langchain import PalimpsestChatMessageHistory

    one, other = (PalimpsestChatMessageHistory(client, unique("Session:A b")) for _ in range(2))
    call = ToolCall(name="weather", args={"city": "Oslo"}, id="1", type="tool_call")
    messages = [HumanMessage(f"message {number}") for number in range(230)]
    one.add_messages([*messages, AIMessage("", tool_calls=[call])])
    other.add_user_message("only here")
    assert [message.text for message in one.messages] == [*(message.text for message in messages), ""]
    assert one.messages[-1].tool_calls[0]["args"] == {"city": "Oslo"}  # type: ignore[attr-defined]
    assert [message.text for message in other.messages] == ["only here"]
    one.clear()
    assert (len(one.messages), len(other.messages)) == (0, 1)

    model = FakeListChatModel(responses=["Hello Anna", "You are Anna"])
    chain = RunnableWithMessageHistory(model, lambda session: PalimpsestChatMessageHistory(client, session))
    config: Any = {"configurable": {"session_id": unique("chain")}}
    chain.invoke("I am Anna", config=config)
    chain.invoke("Who am I?", config=config)
    history = PalimpsestChatMessageHistory(client, config["configurable"]["session_id"]).messages
    assert [message.text for message in history] == ["I am Anna", "Hello Anna", "Who am I?", "You are Anna"]


def test_llama_index_retrieves_nodes(client: Client) -> None:
    from llama_index.core import get_response_synthesizer
    from llama_index.core.llms import MockLLM
    from llama_index.core.query_engine import RetrieverQueryEngine

    from palimpsest_client.llama_index import PalimpsestRetriever

    tag = unique("llama")
    stored = client.store_memory(content="The ferry to Bergen leaves at noon.", tags=[tag])
    retriever = PalimpsestRetriever(client, tags=[tag])
    [node] = retriever.retrieve("When does the ferry leave?")
    assert (node.node.node_id, node.text) == (stored["memory_id"], "The ferry to Bergen leaves at noon.")
    assert node.score is not None and 0 < node.score <= 1
    engine = RetrieverQueryEngine(retriever, get_response_synthesizer(llm=MockLLM()))
    assert "The ferry to Bergen leaves at noon." in str(engine.query("When does the ferry leave?"))


def test_openai_agents_use_the_session_and_the_tools(service_url: str) -> None:
    from agents import Agent, ModelResponse, Runner, Usage, set_tracing_disabled
    from agents.models.interface import Model
    from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

    from palimpsest_client.openai_agents import PalimpsestSession, memory_tools

    set_tracing_disabled(True)

    def says(text: str) -> Any:
        content = ResponseOutputText(annotations=[], text=text, type="output_text")
        return ResponseOutputMessage(id="1", content=[content], role="assistant", status="completed", type="message")

    def calls(name: str, arguments: str) -> Any:
        return ResponseFunctionToolCall(name=name, arguments=arguments, call_id=unique("call"), type="function_call")

    class Scripted(Model):
        def __init__(self, *outputs: Any) -> None:
            self.outputs = list(outputs)
            self.inputs: list[Any] = []

        async def get_response(self, system_instructions: Any, input: Any, *_: Any, **__: Any) -> ModelResponse:
            self.inputs.append(input)
            return ModelResponse(output=[self.outputs.pop(0)], usage=Usage(), response_id=None)

        def stream_response(self, *_: Any, **__: Any) -> AsyncIterator[Any]:
            raise NotImplementedError

    async def run() -> None:
        async with AsyncClient(service_url, TOKEN) as client:
            model = Scripted(
                calls("remember", '{"content": "Anna prefers tea."}'),
                says("Noted."),
                calls("recall", '{"query": "What does Anna drink?"}'),
                says("Tea."),
            )
            agent = Agent(name="agent", model=model, tools=memory_tools(client, tags=[unique("agents")]))
            session = PalimpsestSession(client, unique("session"))
            assert (await Runner.run(agent, "Anna prefers tea", session=session)).final_output == "Noted."
            assert (await Runner.run(agent, "What does Anna drink?", session=session)).final_output == "Tea."
            assert "Anna prefers tea." in str(model.inputs[-1][-1])
            # The second run got the items of the first one.
            assert "Noted." in str(model.inputs[2])
            items: list[Any] = await session.get_items()
            assert items[0]["content"] == "Anna prefers tea" and len(items) == 8
            assert await session.get_items(2) == items[-2:]
            assert await session.pop_item() == items[-1]
            await session.clear_session()
            assert (await session.get_items(), await session.pop_item()) == ([], None)

    asyncio.run(run())
