"""The client against services that fail. Each stand-in records what it got."""

from __future__ import annotations

import asyncio
import json
import socket
import time

import pytest
from conftest import Reply, cut_off, reply, stand_in

from palimpsest_client import (
    AsyncClient,
    Client,
    InvalidAnswer,
    InvalidRequest,
    ServiceUnreachable,
    Unavailable,
)

STORED = reply(201, b'{"memory_id": "1"}')
FAST = (0.01, 0.02)


def hang(seconds: float) -> Reply:
    def wait(_: object) -> None:
        time.sleep(seconds)

    return wait


def test_a_timeout_in_the_middle_of_a_store_repeats_it_with_the_same_key() -> None:
    with stand_in(hang(4), STORED) as server, Client(server.url, timeout=2, retry_delays=FAST) as client:
        assert client.store_memory(content="x")["memory_id"] == "1"
        keys = server.keys()
        assert len(keys) == 2 and keys[0] == keys[1] is not None


def test_an_answer_that_is_cut_off_repeats_the_store() -> None:
    with stand_in(cut_off, STORED) as server, Client(server.url, retry_delays=FAST) as client:
        assert client.store_memory(content="x")["memory_id"] == "1"
        assert len(set(server.keys())) == 1


def test_a_503_is_repeated_after_the_time_it_names() -> None:
    busy = reply(503, b'{"message": "busy"}', Retry_After="1")
    with stand_in(busy, STORED) as server, Client(server.url, retry_delays=FAST) as client:
        began = time.monotonic()
        client.store_memory(content="x")
        assert time.monotonic() - began >= 1
    with stand_in(busy) as server, Client(server.url, retry_delays=(0.01,)) as client:
        with pytest.raises(Unavailable, match=r"busy \(503\)") as caught:
            client.store_memory(content="x")
        assert (len(server.requests), caught.value.effect) == (2, "unknown")
        assert caught.value.idempotency_key == server.keys()[0]


def test_a_call_without_a_key_is_repeated_only_when_it_cannot_have_begun() -> None:
    failed = reply(500, b'{"message": "no"}')
    with stand_in(failed, STORED) as server, Client(server.url, retry_delays=FAST) as client:
        with pytest.raises(Unavailable):
            client.rebuild_graph()
        assert len(server.requests) == 1
    busy = reply(503, b'{"message": "busy"}', Retry_After="0")
    with (
        stand_in(busy, reply(202, b'{"status": "started"}')) as server,
        Client(server.url, retry_delays=FAST) as client,
    ):
        client.rebuild_graph()
        assert len(server.requests) == 2


def test_no_server() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}"
        with Client(url, retry_delays=FAST) as client, pytest.raises(ServiceUnreachable) as caught:
            client.store_memory(content="x")
    assert caught.value.effect == "none"
    assert url in str(caught.value)


def test_a_page_of_a_proxy_and_a_redirect_are_no_answers() -> None:
    page = reply(200, b"<html>")
    with stand_in(page) as server, Client(server.url) as client, pytest.raises(InvalidAnswer, match="check base_url"):
        client.health()
    elsewhere = reply(308, b"", Location="http://elsewhere.example/")
    with stand_in(elsewhere) as server, Client(server.url, "secret") as client:
        with pytest.raises(InvalidAnswer, match="elsewhere"):
            client.health()
        assert len(server.requests) == 1


def test_a_refused_call_is_not_repeated() -> None:
    refused = reply(400, b'{"message": "\'content\' is empty", "field": "content"}')
    with stand_in(refused) as server, Client(server.url, retry_delays=FAST) as client:
        with pytest.raises(InvalidRequest) as caught:
            client.store_memory(content=" ")
        assert (caught.value.field, len(server.requests)) == ("content", 1)


def test_requests_carry_tokens_lists_and_flags_as_the_contract_has_them() -> None:
    with stand_in(reply(200)) as server, Client(server.url + "/", "secret", admin_token="admin") as client:
        client.recall(query="a & b", tags=["x", "y/z"], expand_relations=True, embedding=[0.5, 1.0])
        client.get_memory("a/b c")
        client.store_memory(content="Grüße", tags=["é"])
    (_, recall, headers, _), (_, get, _, _), (_, _, _, body) = server.requests
    assert recall.startswith("/recall?query=a+%26+b") or recall.startswith("/recall?query=a%20%26%20b")
    assert "tags=x&tags=y%2Fz" in recall and "embedding=0.5%2C1.0" in recall and "expand_relations=true" in recall
    assert get == "/memory/a%2Fb%20c"
    assert headers["Authorization"] == "Bearer secret" and headers["X-Admin-Token"] == "admin"
    assert json.loads(body) == {"content": "Grüße", "tags": ["é"]}


def test_the_asynchronous_client_repeats_and_fails_in_the_same_way() -> None:
    async def run() -> None:
        with stand_in(hang(4), cut_off, STORED) as server:
            async with AsyncClient(server.url, timeout=2, retry_delays=FAST) as client:
                assert (await client.store_memory(content="x"))["memory_id"] == "1"
            assert len(server.keys()) == 3 and len(set(server.keys())) == 1
        with stand_in(reply(500, b'{"message": "no"}')) as server:
            async with AsyncClient(server.url, retry_delays=FAST) as client:
                with pytest.raises(Unavailable):
                    await client.rebuild_graph()
            assert len(server.requests) == 1

    asyncio.run(run())
