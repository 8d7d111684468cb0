"""Makes ``weir_client/sync.py`` of ``weir_client/aio.py``: the same client without asyncio."""

from __future__ import annotations

import re
from pathlib import Path

FOLDER = Path(__file__).parent / "weir_client"

#: In this order.
WORDS = [
    (r"The client for asyncio\. ``sync.py`` is made of this file by ``make_sync.py``: change this one\.", "The client without asyncio. Made of ``aio.py`` by ``make_sync.py``: change that one."),
    (r"^import asyncio$", "import time"),
    (r"\basyncio\.sleep\b", "time.sleep"),
    (r"\bAsyncWeir\b", "Weir"),
    (r"    AsyncTurn,\n    Batch,", "    Batch,"),
    (r"    Taken,\n    Tries,", "    Taken,\n    Tries,\n    Turn,"),
    (r"\bAsyncTurn\b", "Turn"),
    (r"\bhttpx\.AsyncClient\b", "httpx.Client"),
    (r" \| AsyncIterable\[[^\n]*?\](?=[,)])", ""),
    (r"\bAsyncIterator\b", "Iterator"),
    (r"\bAsyncIterable, ", ""),
    (r"\b__aenter__\b", "__enter__"),
    (r"\b__aexit__\b", "__exit__"),
    (r"\baclose\b", "close"),
    (r"\baread\b", "read"),
    (r"\baiter_text\b", "iter_text"),
    (r"\basync (?=def|for|with)", ""),
    (r"\bawait ", ""),
    (r"\n\nasync def _each.*", "\n"),
    (r"\n\ndef _each\(.*", "\n"),
    (r"\b_each\(events\)", "events"),
]


def made() -> str:
    text = (FOLDER / "aio.py").read_text()
    for pattern, word in WORDS:
        text = re.sub(pattern, word, text, flags=re.MULTILINE | (re.DOTALL if "_each" in pattern and ".*" in pattern else 0))
    return text.rstrip("\n") + "\n"


if __name__ == "__main__":
    (FOLDER / "sync.py").write_text(made())
