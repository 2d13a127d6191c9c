"""The client against a running service."""

from __future__ import annotations

import asyncio
import gzip
import re
import threading
import uuid
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import httpx
import pytest
from conftest import ADMIN_TOKEN, TOKEN, eventually, reply, stand_in

from palimpsest_client import (
    ApiError,
    AsyncClient,
    Client,
    Conflict,
    InvalidRequest,
    NotAuthorized,
    NotFound,
    PalimpsestError,
)
from palimpsest_client._generated import OPERATIONS


def test_stores_recalls_changes_and_deletes(client: Client) -> None:
    tag = f"python-{uuid.uuid4()}"
    stored = client.store_memory(content="Anna drinks green tea in the morning.", tags=[tag], importance=0.8)

    def found() -> list[str]:
        return [result["id"] for result in client.recall(query="What does Anna drink?", tags=[tag])["results"]]

    eventually("the recall of the memory", lambda: found() == [stored["memory_id"]])
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
            listed = await client.list_by_tag(tags=[tag], limit=10)
            assert {one["memory_id"] for one in stored} == {memory["id"] for memory in listed["memories"]}
            assert isinstance((await client.recall(query="ferries", tags=[tag]))["results"], list)

    asyncio.run(run())


def test_a_key_stores_once(client: Client) -> None:
    key = str(uuid.uuid4())
    first = client.store_memory(content="Stored once", idempotency_key=key)
    assert client.store_memory(content="Stored once", idempotency_key=key)["memory_id"] == first["memory_id"]
    with pytest.raises(InvalidRequest, match="Idempotency-Key"):
        client.store_memory(content="Something else", idempotency_key=key)


def test_a_store_that_times_out_stores_once(client: Client, service_url: str) -> None:
    tag = f"python-{uuid.uuid4()}"
    repeated = threading.Event()
    stored: list[str] = []

    def execute() -> httpx.Response:
        _, path, headers, body = server.requests[0]
        sent = {name: headers[name] for name in ("Authorization", "Content-Type", "Idempotency-Key")}
        return httpx.post(service_url + path, content=body, headers=sent, timeout=60)

    def without_answer(_: object) -> None:
        stored.append(execute().json()["memory_id"])
        repeated.wait(60)

    def with_answer(handler: BaseHTTPRequestHandler) -> None:
        repeated.set()
        answer = execute()
        reply(answer.status_code, answer.content)(handler)

    with (
        stand_in(without_answer, with_answer) as server,
        Client(server.url, TOKEN, timeout=2, retry_delays=(0.01,) * 20) as impatient,
    ):
        answer = impatient.store_memory(content="Stored before the timeout", tags=[tag])
        keys = server.keys()
    assert len(keys) > 1 and len(set(keys)) == 1 and keys[0] is not None
    assert stored == [answer["memory_id"]]
    assert [memory["id"] for memory in client.list_by_tag(tags=[tag])["memories"]] == stored


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
        client.store_memory(content="word " * 2_000_000)  # 10 MB
    assert too_large.value.status == 413


def test_a_wrong_token_is_refused(service_url: str) -> None:
    if httpx.get(f"{service_url}/recall").status_code == 200:
        pytest.skip("this service asks for no token")
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


#: The errors with which operations may answer below: nothing has this name, or another job is running.
REFUSED: dict[str, type[ApiError]] = {
    "get_entity": NotFound,
    "merge_entity": NotFound,
    "unmerge_entity": NotFound,
    "restore_memory": Conflict,
    "rollback_vectors": Conflict,
    **dict.fromkeys(("consolidate", "rebuild_graph", "rebuild_vectors", "reembed", "sync_index"), Conflict),
}
#: Their tests are above.
WITHOUT_JSON = {"stream", "backup"}


def test_every_operation_of_the_document_is_callable(client: Client, service_url: str) -> None:
    document = httpx.get(f"{service_url}/openapi.json").json()
    names = {one["operationId"] for methods in document["paths"].values() for one in methods.values()}
    assert {re.sub("[A-Z]", lambda found: "_" + found[0].lower(), name) for name in names} == set(OPERATIONS)

    memory, other, deleted = (client.store_memory(content=f"Memory {number}")["memory_id"] for number in range(3))
    # Nothing is sent to them: no event has this type.
    address = "https://receiver.example/"
    webhook, removed = (client.create_webhook(url=address, types=["entity.merged"])["webhook"]["id"] for _ in range(2))
    key, revoked = (client.create_key(name=name, scopes=["graph:read"])["key"]["id"] for name in ("kept", "revoked"))
    tenant, ended = (client.create_tenant(name=name)["tenant"]["id"] for name in ("blue", "amber"))
    given: dict[str, dict[str, object]] = {
        "associate": {"body": {"memory1_id": memory, "memory2_id": other, "type": "RELATES_TO"}},
        "create_key": {"name": "made", "scopes": ["memories:read"]},
        "create_tenant": {"name": "green"},
        "create_tenant_key": {"tenant_id": tenant, "name": "agent", "scopes": ["memories:read"]},
        "create_webhook": {"url": address, "types": ["entity.merged"]},
        "delete_by_tag": {"tags": ["none"]},
        "delete_memory": {"id": deleted},
        "delete_tenant": {"tenant_id": ended},
        "delete_webhook": {"webhook": removed},
        "discard_dead_letters": {"body": {"projector": "enricher"}},
        "import_records": {"memories": [{"content": "Imported"}]},
        "list_by_tag": {"tags": ["none"]},
        "list_related": {"key": memory},
        "merge_entity": {"slug": "nobody", "merge_into": "anna"},
        "unmerge_entity": {"slug": "nobody"},
        "pause_projector": {"name": "enricher"},
        "redrive_dead_letters": {"body": {"projector": "enricher"}},
        "replay_webhook": {"webhook": webhook, "after": 0},
        "reprocess": {"ids": [memory]},
        "resume_projector": {"name": "enricher"},
        "revoke_key": {"key_id": revoked},
        "rotate_key": {"key_id": key},
        "store_batch": {"memories": [{"content": "One of a batch"}]},
        "store_memory": {"content": "Alone"},
        "update_memory": {"id": memory, "importance": 0.5},
        "update_tenant": {"tenant_id": tenant, "suspended": True, "reason": "A test"},
        "update_webhook": {"webhook": webhook, "description": "Changed"},
        "get_entity": {"slug": "nobody"},
        **{name: {"id": memory} for name in ("get_memory", "list_history", "list_neighbours", "restore_memory")},
        **{name: {"webhook": webhook} for name in ("get_webhook", "list_webhook_deliveries", "rotate_webhook_secret")},
    }
    for name in sorted(set(OPERATIONS) - WITHOUT_JSON - {"get_job"}):
        try:
            assert isinstance(getattr(client, name)(**given.get(name, {})), dict)
        except ApiError as error:
            assert isinstance(error, REFUSED.get(name, ())), f"{name}: {error}"
            assert "No such route" not in str(error), f"{name}: {error}"
    job = client.list_jobs()["jobs"][0]["id"]
    assert client.get_job(job)["job"]["id"] == job
    for left in client.list_webhooks()["webhooks"]:
        client.delete_webhook(left["id"])
    for one in client.list_keys()["keys"]:
        client.revoke_key(one["id"])
    for space in client.list_tenants()["tenants"]:
        client.delete_tenant(space["id"])
