"""Runs the code of the README."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from conftest import TOKEN

BLOCKS = re.findall(r"```python\n(.*?)```", (Path(__file__).parents[1] / "README.md").read_text(), re.S)


@pytest.mark.parametrize("code", BLOCKS)
def test_the_readme_prints_the_memory_that_it_stores(
    code: str, service_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    exec(code.replace('"http://127.0.0.1:8001"', f'"{service_url}", "{TOKEN}"'), {})
    stored = re.search(r'content="([^"]+)"|"content": "([^"]+)"', code)
    assert stored and (stored[1] or stored[2]) in capsys.readouterr().out


def test_the_readme_has_code() -> None:
    assert len(BLOCKS) == 5
