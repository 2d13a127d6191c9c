"""The Python client of MCP uses the bridge over both transports and in both revisions. Usage: mcp_client.py FOLDER"""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mcp import Client, MCPError, StdioServerParameters

PROGRAMS = Path(__file__).resolve().parents[2] / "dist/deploy"
# What the client is asked for, and what it then speaks. By itself it takes the newest revision of the server.
MODES = {"auto": "2026-07-28", "2026-07-28": "2026-07-28", "legacy": "2025-11-25"}
NOT_FOUND = {"2026-07-28": -32602, "2025-11-25": -32002}


@contextmanager
def service(folder: str) -> Iterator[str]:
    """An embedded service with MCP on its port. Yields its address."""
    environment = {"PATH": os.environ["PATH"], "HOME": folder, "PALIMPSEST_DATA_DIR": folder}
    with subprocess.Popen(
        ["node", str(PROGRAMS / "embedded/main.js")],
        cwd=folder,
        env={**environment, "PORT": "0", "MCP_ENABLED": "true"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        assert process.stdout
        lines: list[str] = []
        for line in process.stdout:
            lines.append(line)
            found = re.search(r"http://[^\s:]+:(\d+)", line)
            if found:
                break
        else:
            raise AssertionError("".join(lines))
        # The pipe is read to the end, so that the service never waits for it.
        threading.Thread(target=process.stdout.read, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{found.group(1)}"
        finally:
            process.terminate()


async def use(server: str | StdioServerParameters, mode: str, title: str) -> None:
    """Connects, lists, stores, recalls, reads and deletes."""
    async with Client(server, mode=mode) as client:
        revision = client.protocol_version
        assert revision == MODES[mode], f"the revision is {revision}"
        assert len((await client.list_tools()).tools) == 6
        assert [str(one.uri) for one in (await client.list_resources()).resources] == ["memory://startup-recall"]
        assert [one.name for one in (await client.list_prompts()).prompts] == ["session_start", "session_end"]

        content = f"The ferry of {title} leaves at noon"
        stored = await client.call_tool("store_memory", {"content": content, "tags": ["ferry"]})
        assert not stored.is_error, stored
        found = re.search(r"[0-9a-f]{8}-[0-9a-f-]{27}", stored.content[0].text)
        assert found, stored
        uri = f"memory://{found.group()}"
        recalled = await client.call_tool("recall_memory", {"query": content, "tags": ["ferry"]})
        assert content in recalled.content[0].text, recalled
        assert content in (await client.read_resource(uri)).contents[0].text
        assert not (await client.call_tool("delete_memory", {"memory_id": found.group()})).is_error
        try:
            await client.read_resource(uri)
            raise AssertionError("a deleted memory was read")
        except MCPError as error:
            assert error.code == NOT_FOUND[revision], error

        refused = await client.call_tool("recall_memory", {"no_such_argument": 1})
        assert refused.is_error and "no_such_argument" in refused.content[0].text, refused


async def main(folder: str) -> None:
    with service(folder) as url:
        bridge = StdioServerParameters(
            command="node", args=[str(PROGRAMS / "mcp/main.js")], env={"AUTOMEM_API_URL": url}
        )
        for transport, server in {"HTTP": f"{url}/mcp", "stdio": bridge}.items():
            for mode, revision in MODES.items():
                await use(server, mode, f"{transport} {mode}")
                print(f"passed: MCP {revision} over {transport}, client in mode {mode}")


asyncio.run(main(sys.argv[1]))
