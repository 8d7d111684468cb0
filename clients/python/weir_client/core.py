"""What both clients do alike: addresses, tries, batches, lines, webhooks. No request is sent here."""

from __future__ import annotations

import asyncio
import base64
import binascii
import gzip
import hashlib
import hmac
import json
import os
import random
import re
import ssl
import sys
import threading
import time
import uuid
from concurrent.futures import Future
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import Any, Callable, Coroutine, Generic, Iterable, Iterator, Mapping, Sequence, TypeVar
from urllib.parse import quote, urlencode, urljoin

from .errors import WeirError, error_amid, error_of, foreign_error

_LEAST_S, _MOST_S = 0.1, 5.0
_MAX_LINES = 10_000
_MAX_REFUSED = 1_000

Result = TypeVar("Result")


@dataclass(frozen=True)
class Call:
    method: str
    path: Sequence[str | int]
    query: Mapping[str, Any] = field(default_factory=dict)
    json: Any = None
    body: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    #: Whether a second try does no harm; None: of all methods but POST.
    repeatable: bool | None = None
    patience_s: float | None = None


@dataclass(frozen=True)
class Settings:
    url: str
    key: str | None
    timeout_s: float
    patience_s: float

    @staticmethod
    def of(url: str | None, key: str | None, timeout_s: float, patience_s: float) -> Settings:
        given = url or os.environ.get("WEIR_URL") or "http://localhost:18080"
        if not re.match(r"https?://[^/]", given):
            raise WeirError("network", f"the url is such as http://localhost:18080 or https://weir.example.org, not '{given}'")
        return Settings(given.rstrip("/"), key or os.environ.get("WEIR_KEY") or None, timeout_s, patience_s)

    def address(self, call: Call) -> str:
        path = "/".join(quote(str(part), safe="") for part in call.path)
        query = urlencode({name: _text(value) for name, value in call.query.items() if value is not None})
        return f"{self.url}/{path}{'?' + query if query else ''}"

    def headers(self, call: Call) -> dict[str, bytes]:
        headers = dict(call.headers)
        if self.key:
            headers["x-api-key"] = self.key
        if call.json is not None:
            headers.setdefault("content-type", "application/json")
        return {name: _header(name, value) for name, value in headers.items()}


def _header(name: str, value: str) -> bytes:
    # As HTTP has a value: visible letters, blanks and Latin-1.
    if re.fullmatch(r"[\t\x20-\x7e\x80-\xff]*", value):
        return value.encode("latin-1")
    what = {"x-api-key": "the key", "idempotency-key": "the id of an event"}.get(name, f"the header {name}")
    way = "; as the member _id of the event it may have any" if name == "idempotency-key" else ""
    raise WeirError("refused", f"{what} has a letter that no header takes (beyond Latin-1, or a line break){way}")


def _text(value: Any) -> str:
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


def body_of(call: Call) -> bytes | None:
    return dumps(call.json).encode() if call.json is not None else call.body


def _plain(value: Any) -> Any:
    """Times as ISO texts, and what numpy has as what it means."""
    if hasattr(value, "isoformat"):
        return value.isoformat()
    if hasattr(value, "item"):
        return value.item()
    raise TypeError(f"{type(value).__name__} is nothing that JSON can say")


#: One encoder for all: ``json.dumps`` makes one for each value.
dumps = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False, default=_plain).encode


class Tries:
    """Whether and when a request is tried again."""

    def __init__(self, call: Call, settings: Settings) -> None:
        patience_s = settings.patience_s if call.patience_s is None else call.patience_s
        self._repeatable = call.method != "POST" if call.repeatable is None else call.repeatable
        self._end = time.monotonic() + patience_s
        self._count = 0

    def pause(self, error: WeirError, retry_after: str | None = None) -> float:
        """Seconds until the next try; raises the error where there is none."""
        back_off = min(_MOST_S, _LEAST_S * 2**self._count) * (0.5 + random.random() / 2)
        self._count += 1
        again = error.kind in ("network", "timeout") or error.status in (429, 502, 503, 504)
        again = again and not _is_of_tls(error.__cause__)
        # Of a request too many nothing was done, whatever it was.
        if not again or not (self._repeatable or error.status == 429):
            raise error
        try:
            wait = max(back_off, float(retry_after or 0))
        except ValueError:
            wait = back_off
        if time.monotonic() + wait > self._end:
            raise error
        return wait


def network_error(error: Exception, where: str, *, late: bool) -> WeirError:
    """A request to which no answer came, in one line that says what to look at."""
    if late:
        return WeirError("timeout", f"{where} did not answer in time")
    why = str(error) or type(error).__name__
    if "refused" in why.lower():
        why = 'nothing listens there; start one with "npm start", or give another url'
    elif "Errno -2]" in why or "getaddrinfo failed" in why:
        why = "the host has no address; look at the url"
    elif "CERTIFICATE_VERIFY_FAILED" in why:
        why = f"its certificate is not trusted ({why.rpartition(': ')[2]}); client=httpx.Client(verify=...) says whom to trust"
    elif "WRONG_VERSION_NUMBER" in why or "RECORD_LAYER_FAILURE" in why:
        why = "it speaks no TLS; the url should begin with http:"
    made = WeirError("network", f"no Weir answers at {where}: {why}")
    made.__cause__ = error
    return made


def _is_of_tls(error: BaseException | None) -> bool:
    """Whether another try would meet the same: a certificate that is not trusted, or an address that speaks no TLS."""
    while error is not None:
        if isinstance(error, ssl.SSLError):
            return not isinstance(error, ssl.SSLEOFError)
        error = error.__cause__ or error.__context__
    return False


def read_answer(text: str, where: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        raise foreign_error(where, "its answer is no JSON") from None


def list_in(page: Any, member: str, where: str) -> list[Any]:
    items = page.get(member) if isinstance(page, dict) else None
    if not isinstance(items, list):
        raise foreign_error(where, f"its answer has no list {member}")
    return items


def expect_type(headers: Mapping[str, str], expected: str, where: str, why_else: str = "") -> None:
    """An answer of another type is none of Weir's."""
    if _type_of(headers) != expected:
        raise foreign_error(where, f"expected {expected}, got {headers.get('content-type') or 'no type'}{why_else}")


def _type_of(headers: Mapping[str, str]) -> str:
    return (headers.get("content-type") or "").split(";")[0].strip().lower()


def refusal_of(status: int, location: str | None, text: str, address: str, where: str) -> WeirError:
    """The error that an answer is which is no success."""
    if location is None or not 300 <= status < 400:
        return error_of(status, text, where)
    # The path of the call is no part of the url to give.
    url = urljoin(address, location).removesuffix(address.removeprefix(where))
    return WeirError("foreign", f"{where} redirects to {url}: give that url", status=status)


@dataclass(frozen=True)
class Taken:
    """An event that was kept; ``notes`` tell of members that Weir passed over."""

    pk: int
    notes: list[str]


@dataclass(frozen=True)
class Refused:
    """An event that Weir refused: its place among the events that were given, from 0."""

    index: int
    error: str
    event: Any


@dataclass
class Sent:
    """``rejected`` counts all that were refused; ``refused`` names at most 100 of each batch, and the first 1,000 in all."""

    accepted: int = 0
    repeated: int = 0
    rejected: int = 0
    refused: list[Refused] = field(default_factory=list)
    bytes: int = 0
    batches: int = 0

    def add(self, batch: Batch, answer: Mapping[str, Any]) -> None:
        self.accepted += answer.get("accepted", 0)
        self.repeated += answer.get("repeated", 0)
        self.rejected += answer.get("rejected", 0)
        for refused in answer.get("errors", [])[: _MAX_REFUSED - len(self.refused)]:
            line = refused["line"] - 1
            self.refused.append(Refused(batch.first + line, refused["error"], batch.events[line]))
        self.bytes += batch.bytes
        self.batches += 1


@dataclass
class Batch:
    first: int
    events: list[Any] = field(default_factory=list)
    lines: list[bytes] = field(default_factory=list)
    bytes: int = 0
    began: float = 0.0

    def call(self, path: Sequence[str], *, packed: bool, patience_s: float) -> Call:
        body = b"\n".join(self.lines)
        headers = {"content-type": "application/x-ndjson", "idempotency-key": str(uuid.uuid4())}
        if packed:
            headers["content-encoding"] = "gzip"
            body = gzip.compress(body, compresslevel=1)
        return Call("POST", path, body=body, headers=headers, repeatable=True, patience_s=patience_s)


    def halves(self) -> tuple[Batch, Batch] | None:
        """The lines as two batches; None where there is one alone."""
        half = len(self.lines) // 2
        if half == 0:
            return None
        return self._part(0, half), self._part(half, len(self.lines))

    def _part(self, begin: int, end: int) -> Batch:
        lines = self.lines[begin:end]
        return Batch(self.first + begin, self.events[begin:end], lines, sum(len(line) + 1 for line in lines))


class Gathering:
    """Events become batches: full ones, and those whose first event has waited."""

    def __init__(self, max_bytes: int, flush_s: float) -> None:
        self._max_bytes, self._flush_s = max_bytes, flush_s
        self._index = 0
        self._batch = Batch(0)

    def add(self, event: Any) -> Batch | None:
        line = (event.rstrip("\r\n") if isinstance(event, str) else dumps(event)).encode()
        batch = self._batch
        if not batch.lines:
            batch.began = time.monotonic()
        batch.events.append(event)
        batch.lines.append(line)
        batch.bytes += len(line) + 1
        self._index += 1
        is_full = batch.bytes >= self._max_bytes or len(batch.lines) >= _MAX_LINES
        return self.take() if is_full or time.monotonic() - batch.began >= self._flush_s else None

    def take(self) -> Batch | None:
        batch, self._batch = self._batch, Batch(self._index)
        # Empty lines have a number and no event.
        return batch if any(line.strip() for line in batch.lines) else None


class Turn(Generic[Result]):
    """One thing at a time is done in a thread, while its caller goes on; the thread ends with the program. Each result of
    it is told in the caller's thread, when the caller asks for it, also where it fails later; it is asked at the end in
    any case."""

    #: Whether it has come to something that the caller has not asked for yet.
    is_over = False
    _told: Callable[[], None] | None = None

    def __enter__(self) -> Turn[Result]:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None or issubclass(kind, Exception):
            self.end()

    def begin(self, work: Callable[[Callable[[Result], None]], None], told: Callable[[Result], None]) -> None:
        results: SimpleQueue[Result | None] = SimpleQueue()
        done: Future[None] = Future()

        def run() -> None:
            try:
                work(results.put)
            except BaseException as error:
                done.set_exception(error)
            else:
                done.set_result(None)
            self.is_over = True
            results.put(None)

        def tell() -> None:
            while (result := results.get()) is not None:
                told(result)
            done.result()

        self._told = tell
        threading.Thread(target=run, daemon=True).start()

    def end(self) -> None:
        told, self._told = self._told, None
        if told is not None:
            told()
        self.is_over = False


class AsyncTurn(Generic[Result]):
    """The same with a task. Each result is told at once, and where it fails the caller's wait is cancelled."""

    is_over = False
    _task: asyncio.Task[None] | None = None
    _cancels = False
    _others = 0

    async def __aenter__(self) -> AsyncTurn[Result]:
        self._caller = asyncio.current_task()
        if sys.version_info >= (3, 11) and self._caller is not None:
            self._others = self._caller.cancelling()
        return self

    async def __aexit__(self, kind: type[BaseException] | None, *_: object) -> None:
        task = self._task
        if self._cancels and self._caller is not None:
            # One more who cancels, as Python 3.11 and later can tell, has the last word.
            is_cancelled = sys.version_info >= (3, 11) and self._caller.uncancel() > self._others
            if not is_cancelled and kind is asyncio.CancelledError:
                kind = None
        if kind is None or issubclass(kind, Exception):
            await self.end()
        elif task is not None:
            task.cancel()

    def begin(
        self, work: Callable[[Callable[[Result], None]], Coroutine[Any, Any, None]], told: Callable[[Result], None]
    ) -> None:
        self._task = asyncio.get_running_loop().create_task(work(told))
        self._task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        # A task for which the caller waits, or has waited, fails there.
        if task is self._task and self._caller is not None and not task.cancelled() and task.exception() is not None:
            self._cancels = self._caller.cancel()

    async def end(self) -> None:
        task, self._task = self._task, None
        if task is not None:
            await task


def lines_taken(error: WeirError) -> Mapping[str, Any]:
    """The answer where all lines of a batch are refused: each has its reason."""
    if error.status == 400 and error.answer is not None and isinstance(error.answer.get("errors"), list):
        return error.answer
    raise error


class RowLines:
    """Rows of an answer with a row a line. The last line may be a refusal, or the cursor behind the rows of a limit, but
    where ``all_rows`` says that it is a row like all others. The answer to a statement that erases is one object also
    where lines are asked for: it is the one row."""

    def __init__(self, where: str, on_note: Callable[[str], None] | None = None, *, all_rows: bool) -> None:
        self._where = where
        self._on_note = on_note
        #: The text of an answer that is one object; None where it has a row a line.
        self._object: str | None = None
        self._all_rows = all_rows
        self._held: Any = None
        self._holds = False

    def begin(self, headers: Mapping[str, str]) -> None:
        format = headers.get("x-clickhouse-format")
        if self._all_rows and format is not None:
            # With FORMAT Null there are no lines at all.
            if format != "Null" and _type_of(headers) != "application/x-ndjson":
                raise WeirError("refused", f"rows cannot be read of FORMAT {format}: leave the FORMAT out", status=200)
        elif not self._all_rows and _type_of(headers) == "application/json":
            self._object = ""
        else:
            why_else = ", or the question has a FORMAT of its own, which is to be left out" if self._all_rows else ""
            expect_type(headers, "application/x-ndjson", self._where, why_else)
        note = headers.get("x-weir-note")
        if note is not None and self._on_note is not None:
            self._on_note(note)

    def feed(self, line: str) -> Iterator[Any]:
        if self._object is not None:
            self._object += line
            return
        if not line:
            return
        if self._holds:
            yield self._held
        try:
            self._held, self._holds = json.loads(line), True
        except ValueError:
            raise WeirError("broken", f"a line in the answer of {self._where} is no JSON") from None

    def _change(self, text: str) -> Any:
        answer = read_answer(text, self._where)
        if not isinstance(answer, dict) or "retval" not in answer:
            raise foreign_error(self._where, "expected application/x-ndjson, got application/json")
        notes = answer.get("error")
        if isinstance(notes, list) and self._on_note is not None:
            for note in notes:
                self._on_note(str(note))
        return answer

    def end(self) -> Iterator[Any]:
        if self._object is not None:
            yield self._change(self._object)
            return
        if not self._holds:
            return
        held = self._held
        if isinstance(held, dict) and not self._all_rows:
            if isinstance(held.get("cursor"), str) and held.get("more_data_to_come") == 1 and len(held) == 2:
                return
            if isinstance(held.get("errcode"), int) and isinstance(held.get("error"), list) and len(held) <= 3:
                raise error_amid(held)
        yield held


class Messages:
    """Server-sent events, line by line (HTML Standard, 9.2)."""

    def __init__(self, where: str) -> None:
        self._where = where
        self._event, self._data = "message", list[str]()
        self._id: str | None = None
        #: Of the last event that came whole.
        self.last_id: str | None = None

    def feed(self, line: str) -> tuple[str, Any] | None:
        if line == "":
            event, data = self._event, self._data
            self._event, self._data = "message", []
            self.last_id = self._id
            if not data:
                return None
            try:
                return event, json.loads("\n".join(data) or "null")
            except ValueError:
                raise foreign_error(self._where, "the data of an event is no JSON") from None
        name, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if name == "event":
            self._event = value
        elif name == "data":
            self._data.append(value)
        elif name == "id":
            self._id = value
        return None


def records_of(frame: Any) -> Iterator[dict[str, Any]]:
    """The rows of a frame of pandas or polars, without what is missing."""
    rows: Iterable[Mapping[str, Any]]
    rows = frame.iter_rows(named=True) if hasattr(frame, "iter_rows") else frame.to_dict(orient="records")
    for row in rows:
        yield {name: value for name, value in row.items() if not _is_missing(value)}


def _is_missing(value: Any) -> bool:
    return value is None or (not isinstance(value, (list, dict, str)) and value != value)


def frame_of(rows: list[dict[str, Any]], library: str) -> Any:
    if library == "polars":
        import polars

        return polars.DataFrame(rows, infer_schema_length=None)
    if library != "pandas":
        raise ValueError("library is pandas or polars")
    import pandas

    frame = pandas.DataFrame(rows)
    for name in frame.columns:
        if frame[name].dtype.kind != "f":
            continue
        # Whole numbers with a gap become floats, which lose digits.
        values = [row.get(name) for row in rows]
        whole = [value for value in values if value is not None]
        if whole and all(type(value) is int for value in whole):
            fits = -(2**63) <= min(whole) and max(whole) < 2**63
            frame[name] = pandas.array(values, dtype="Int64") if fits else pandas.Series(values, index=frame.index, dtype=object)
    return frame


def verify(headers: Mapping[str, str], body: str | bytes, secret: str, *, now: float | None = None) -> Any:
    """The body of a webhook as JSON, where who has the secret (``whsec_...``) signed it (Standard Webhooks) within the
    last five minutes; raises :class:`WeirError` where not."""
    lower = {name.lower(): value for name, value in headers.items()}
    values = [lower.get(name, "") for name in ("webhook-id", "webhook-timestamp", "webhook-signature")]
    if not all(values):
        raise WeirError("refused", "the webhook lacks one of its headers webhook-id, webhook-timestamp, webhook-signature")
    message_id, stamp, signatures = values
    if not re.fullmatch(r"\d{1,15}", stamp) or abs((time.time() if now is None else now) - int(stamp)) > 300:
        raise WeirError("refused", f"the webhook's time, {stamp[:40]}, is more than five minutes away")
    raw = body.encode() if isinstance(body, str) else body
    key = base64.b64decode(secret.removeprefix("whsec_"))
    expected = hmac.new(key, f"{message_id}.{stamp}.".encode() + raw, hashlib.sha256).digest()
    for signature in signatures.split(" ")[:50]:
        version, _, text = signature.partition(",")
        try:
            given = base64.b64decode(text)
        except (binascii.Error, ValueError):
            continue
        if version == "v1" and hmac.compare_digest(given, expected):
            return json.loads(raw)
    raise WeirError("refused", "the webhook has no signature by this secret")
