"""Runs the Python code of the documents."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from conftest import REPOSITORY, TOKEN

PAGES = ("deploy/clients/python/README.md", "deploy/clients/python/python.md", "deploy/docs/recipes.md")
BLOCK = re.compile(r"(?:<!-- executed as (\S+),[^>\n]*-->\n)?```python\n(.*?)```", re.S)
BLOCKS = [block for page in PAGES for block in BLOCK.findall((REPOSITORY / page).read_text())]
#: Modules that other blocks import. `npm test` runs them as programs.
MODULES = {name: code for name, code in BLOCKS if name}
CODE = [code for name, code in BLOCKS if not name]


@pytest.mark.parametrize("code", CODE)
def test_the_code_prints_the_memory_that_it_stores(
    code: str, service_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, text in MODULES.items():
        (tmp_path / name).write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PALIMPSEST_URL", service_url)
    monkeypatch.setenv("SERVICE_API_TOKEN", TOKEN)
    exec(re.sub(r'"http://(?:127\.0\.0\.1|localhost):8001"', f'"{service_url}", "{TOKEN}"', code), {})
    stored = re.search(r'content="([^"]+)"|"content": "([^"]+)"', code)
    assert stored and (stored[1] or stored[2]) in capsys.readouterr().out


def test_the_documents_have_code() -> None:
    assert (len(CODE), list(MODULES)) == (6, ["memories.py"])
