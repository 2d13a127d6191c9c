"""The client against a running service."""

from __future__ import annotations

import asyncio
import gzip
import inspect
import re
import threading
import time
import uuid
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from conftest import ADMIN_TOKEN, TOKEN

from palimpsest_client import (
    AsyncClient,
    Client,
    Conflict,
    InvalidRequest,
    NotAuthorized,
    NotFound,
    PalimpsestError,
)
from palimpsest_client._generated import OPERATIONS


def eventually(what: str, check: Callable[[], bool], seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not check():
        assert time.monotonic() < deadline, f"{what} took longer than {seconds} s"
        time.sleep(0.2)


def test_stores_recalls_changes_and_deletes(client: Client) -> None:
    tag = f"python-{uuid.uuid4()}"
    stored = client.store_memory(content="Anna drinks green tea in the morning.", tags=[tag], importance=0.8)
    recalled = client.recall(query="What does Anna drink?", tags=[tag], limit=3)
    assert [result["id"] for result in recalled["results"]] == [stored["memory_id"]]
    other = client.store_memory(content="Ben drinks coffee.", tags=[tag])
    client.associate({"memory1_id": stored["memory_id"], "memory2_id": other["memory_id"], "type": "RELATES_TO"})
    related = client.list_related(stored["memory_id"])
    assert other["memory_id"] in str(related)
    client.update_memory(stored["memory_id"], importance=0.9)
    assert client.get_memory(stored["memory_id"])["memory"]["importance"] == 0.9
    assert client.delete_by_tag(tags=[tag])["deleted_count"] == 2
    with pytest.raises(NotFound):
        client.get_memory(stored["memory_id"])


def test_the_asynchronous_client_does_the_same(service_url: str) -> None:
    async def run() -> None:
        async with AsyncClient(service_url, TOKEN) as client:
            tag = f"python-{uuid.uuid4()}"
            stored = await asyncio.gather(
                *(client.store_memory(content=f"Note {number} about ferries", tags=[tag]) for number in range(5))
            )
            recalled = await client.recall(query="ferries", tags=[tag], limit=10)
            assert {one["memory_id"] for one in stored} == {result["id"] for result in recalled["results"]}

    asyncio.run(run())


def test_a_key_stores_once(client: Client) -> None:
    key = str(uuid.uuid4())
    first = client.store_memory(content="Stored once", idempotency_key=key)
    assert client.store_memory(content="Stored once", idempotency_key=key)["memory_id"] == first["memory_id"]
    with pytest.raises(InvalidRequest, match="Idempotency-Key"):
        client.store_memory(content="Something else", idempotency_key=key)


def test_a_change_of_an_earlier_revision_is_a_conflict(client: Client) -> None:
    memory = client.store_memory(content="Changed twice")["memory_id"]
    client.update_memory(memory, importance=0.9)
    with pytest.raises(Conflict) as caught:
        client.update_memory(memory, importance=0.1, if_match='"1"')
    assert caught.value.status == 412


def test_an_error_names_the_field(client: Client) -> None:
    with pytest.raises(InvalidRequest) as caught:
        client.store_memory(content="x", importance=7)
    assert (caught.value.status, caught.value.field, caught.value.effect) == (400, "importance", "none")
    assert "importance" in str(caught.value)
    with pytest.raises(InvalidRequest, match="larger than") as too_large:
        client.store_memory(content="word " * 2_000_000)
    assert too_large.value.status == 413


def test_a_wrong_token_is_refused(service_url: str) -> None:
    with Client(service_url, "wrong") as client, pytest.raises(NotAuthorized) as caught:
        client.recall(query="x")
    assert caught.value.status == 401


def test_a_body_that_is_no_json_is_refused_before_it_is_sent(client: Client) -> None:
    with pytest.raises(PalimpsestError, match="cannot be sent as JSON"):
        client.store_memory(content="x", importance=float("nan"))
    with pytest.raises(ValueError, match="base_url must begin with"):
        Client("127.0.0.1:8001")


def test_the_stream_shows_an_event_and_continues_after_it(client: Client, service_url: str) -> None:
    seen: list[str] = []
    began = threading.Event()

    def follow() -> None:
        with Client(service_url, TOKEN, admin_token=ADMIN_TOKEN) as follower:
            for event in follower.stream():
                seen.append(str(event.data))
                began.set()

    threading.Thread(target=follow, daemon=True).start()

    def is_seen() -> bool:
        client.store_memory(content="Shown by the stream")
        return began.wait(1)

    eventually("the first event", is_seen)
    assert any("memory" in text for text in seen)


def test_a_backup_is_a_whole_file(client: Client, tmp_path: Path) -> None:
    client.store_memory(content="In the backup")
    path = client.backup(tmp_path / "backup.tar.gz")
    assert b"In the backup" in gzip.decompress(path.read_bytes())
    assert [file.name for file in tmp_path.iterdir()] == ["backup.tar.gz"]


def test_every_operation_is_a_method_of_both_clients() -> None:
    for name in OPERATIONS:
        for kind in (Client, AsyncClient):
            assert callable(getattr(kind, name)), f"{kind.__name__} lacks {name}"


#: Not called below: they end the test or change the service for the other tests.
OWN_TESTS = {"stream", "backup"}


def test_every_operation_is_callable(client: Client, service_url: str) -> None:
    """Each operation reaches its route: the service answers, and with an error only for what was named."""
    memory = client.store_memory(content="A memory for every operation", tags=["every"])["memory_id"]
    values = {"id": memory, "key": memory, "slug": "anna", "name": "vector-indexer", "job": "reembed", "tags": ["none"]}
    bodies: dict[str, object] = {
        "associate": {"memory1_id": memory, "memory2_id": memory, "type": "RELATES_TO"},
        "store_memory": {"content": "x"},
        "store_batch": {"memories": [{"content": "x"}]},
        "consolidate": {"mode": "decay"},
    }
    routes = {
        re.sub(r"[A-Z]", lambda found: "_" + found.group().lower(), operation["operationId"]): (method.upper(), path)
        for path, methods in httpx.get(f"{service_url}/openapi.json").json()["paths"].items()
        for method, operation in methods.items()
    }
    assert set(routes) == set(OPERATIONS)
    for name in sorted(set(OPERATIONS) - OWN_TESTS):
        method = getattr(client, name)
        required = [
            parameter
            for parameter in inspect.signature(method).parameters.values()
            if parameter.default is inspect.Parameter.empty and parameter.kind is not inspect.Parameter.VAR_KEYWORD
        ]
        given: dict[str, object] = {one.name: values[one.name] for one in required if one.name in values}
        body = bodies.get(name, {})
        if any(one.name == "body" for one in required):
            given["body"] = body
        elif isinstance(body, dict):
            given |= body
        try:
            assert isinstance(method(**given), dict)
        except PalimpsestError as error:
            status = getattr(error, "status", None)
            assert status in (400, 404, 409, 412, 503), f"{name}: {error}"
            assert "No such route" not in str(error), f"{name}: {error}"
