"""The client for asyncio. ``sync.py`` is made of this file by ``make_sync.py``: change this one."""

from __future__ import annotations

import asyncio
from typing import Any, AsyncIterable, AsyncIterator, Callable, Iterable, Mapping
from urllib.parse import urlsplit
import uuid

import httpx

from .core import (
    AsyncTurn,
    Batch,
    Call,
    Gathering,
    Messages,
    RowLines,
    Sent,
    Settings,
    Taken,
    Tries,
    body_of,
    dumps,
    expect_type,
    frame_of,
    lines_taken,
    list_in,
    network_error,
    read_answer,
    records_of,
    refusal_of,
    verify,
)
from .errors import WeirError, error_amid

Row = dict[str, Any]
Answer = dict[str, Any]
_TRAINED = 25
#: A batch with what became of it.
Taking = tuple[Batch, Mapping[str, Any]]


class Connection:
    """Asks Weir, again where it may be asked again."""

    def __init__(self, settings: Settings, client: httpx.AsyncClient | None) -> None:
        self.settings = settings
        self._http = client or httpx.AsyncClient(timeout=settings.timeout_s, trust_env=False)

    async def text(self, call: Call) -> str:
        return (await self._response(call)).text

    async def _response(self, call: Call) -> httpx.Response:
        tries, where = Tries(call, self.settings), self.settings.url
        while True:
            retry_after = None
            try:
                response = await self._http.request(
                    call.method,
                    self.settings.address(call),
                    content=body_of(call),
                    headers=self.settings.headers(call),
                    timeout=self.settings.timeout_s,
                    follow_redirects=False,
                )
                if response.is_success:
                    return response
                error = self._refusal(response, call)
                retry_after = response.headers.get("retry-after")
            except httpx.DecodingError as fault:
                raise WeirError("broken", f"the answer of {where} cannot be unpacked") from fault
            except httpx.TransportError as fault:
                error = network_error(fault, where, late=isinstance(fault, httpx.TimeoutException))
            await asyncio.sleep(tries.pause(error, retry_after))

    def _refusal(self, response: httpx.Response, call: Call) -> WeirError:
        location = response.headers.get("location")
        return refusal_of(response.status_code, location, response.text, self.settings.address(call), self.settings.url)

    async def json(self, call: Call) -> Answer:
        return read_answer(await self.text(call), self.settings.url)

    async def bytes(self, call: Call) -> bytes:
        return (await self._response(call)).content

    async def lines(
        self, call: Call, begin: Callable[[Mapping[str, str]], None]
    ) -> AsyncIterator[str]:
        """The lines of an answer as they come; ``begin`` gets its headers, and raises where they are not as expected."""
        where = self.settings.url
        tries = Tries(call, self.settings)
        while True:
            begun = False
            try:
                async with self._http.stream(
                    call.method,
                    self.settings.address(call),
                    content=body_of(call),
                    headers=self.settings.headers(call),
                    timeout=self.settings.timeout_s,
                    follow_redirects=False,
                ) as response:
                    if response.is_success:
                        begun = True
                        begin(response.headers)
                        rest = ""
                        async for part in response.aiter_text():
                            lines = (rest + part).split("\n")
                            rest = lines.pop()
                            for line in lines:
                                yield line
                        if rest:
                            yield rest
                        return
                    await response.aread()
                    error = self._refusal(response, call)
                    retry_after = response.headers.get("retry-after")
            except (httpx.TransportError, httpx.DecodingError) as fault:
                if begun:
                    raise WeirError("broken", f"the answer of {where} ended before its end") from fault
                error = network_error(fault, where, late=isinstance(fault, httpx.TimeoutException))
                retry_after = None
            await asyncio.sleep(tries.pause(error, retry_after))

    async def rows(
        self, call: Call, on_note: Callable[[str], None] | None = None, *, all_rows: bool = False
    ) -> AsyncIterator[Row]:
        rows = RowLines(self.settings.url, on_note, all_rows=all_rows)
        async for line in self.lines(call, rows.begin):
            for row in rows.feed(line):
                yield row
        for row in rows.end():
            yield row

    async def listed(self, call: Call, member: str) -> AsyncIterator[Any]:
        """A list of the API, page after page."""
        cursor: str | None = None
        while True:
            query = {**call.query, "cursor": cursor}
            page = await self.json(Call(call.method, call.path, query=query, json=call.json, repeatable=True))
            for item in list_in(page, member, self.settings.url):
                yield item
            cursor = page.get("cursor")
            if cursor is None:
                return

    async def follow(
        self, call: Call, event: str, on_note: Callable[[str, Any], None] | None = None
    ) -> AsyncIterator[Any]:
        """What server-sent events say under a name; a connection that is cut goes on where it ended."""
        last: str | None = None
        while True:
            query = call.query if last is None else {k: v for k, v in call.query.items() if k not in ("last", "after")}
            headers = {"accept": "text/event-stream", **({"last-event-id": last} if last is not None else {})}
            messages = Messages(self.settings.url)
            try:
                async for line in self.lines(
                    Call(call.method, call.path, query=query, headers=headers, repeatable=True),
                    lambda headers: expect_type(headers, "text/event-stream", self.settings.url),
                ):
                    said = messages.feed(line.rstrip("\r"))
                    last = messages.last_id or last
                    if said is None:
                        continue
                    name, data = said
                    if name == event:
                        yield data
                    elif name == "error":
                        raise error_amid(data)
                    elif name != "open" and on_note is not None:
                        on_note(name, data)
            except WeirError as error:
                if error.kind != "broken":
                    raise
            await asyncio.sleep(1)

    async def close(self) -> None:
        await self._http.aclose()


class Stream:
    """The events of a stream."""

    def __init__(self, connection: Connection, schema: str, name: str) -> None:
        self._connection = connection
        self._path = ["stream", schema, name]

    async def send(self, event: Mapping[str, Any], *, id: str | None = None) -> Taken:
        """Sends one event; a repeat under the same ``id`` is counted once."""
        headers = {"idempotency-key": id or str(uuid.uuid4())}
        answer = await self._connection.json(
            Call("POST", self._path, json=dict(event), headers=headers, repeatable=True)
        )
        return Taken(answer["_pk"], answer.get("error", []))

    async def send_many(
        self,
        events: Iterable[Mapping[str, Any] | str] | AsyncIterable[Mapping[str, Any] | str],
        *,
        max_bytes: int = 1_000_000,
        flush_s: float = 0.2,
        gzip: bool | None = None,
        patience_s: float = 600,
        on_progress: Callable[[Sent], None] | None = None,
    ) -> Sent:
        """Sends events in batches, in their order, each under a key of its own: one that is sent again after a cut is
        counted once. A text is a line of NDJSON as it is. A batch goes when it is full, and with the event that comes
        ``flush_s`` after its first, as two where it is larger than the service takes; while it is on its way the next one
        is gathered. A batch that fails ends the call: at once with asyncio, where the wait for the next event is
        cancelled, else with the next event."""
        sent, gathering = Sent(), Gathering(max_bytes, flush_s)
        host = urlsplit(self._connection.settings.url).hostname or ""
        packed = host not in ("localhost", "::1") and not host.startswith("127.") if gzip is None else gzip

        async def post(batch: Batch, tell: Callable[[Taking], None]) -> None:
            halves, answer = None, None
            try:
                answer = await self._connection.json(batch.call(self._path, packed=packed, patience_s=patience_s))
            except WeirError as error:
                halves = batch.halves() if error.status == 413 else None
                if halves is None:
                    answer = lines_taken(error)
            if answer is not None:
                tell((batch, answer))
            for half in halves or ():
                await post(half, tell)

        def arrived(taking: Taking) -> None:
            batch, answer = taking
            sent.add(batch, answer)
            if on_progress is not None:
                on_progress(sent)

        async with AsyncTurn[Taking]() as turn:

            async def go(batch: Batch) -> None:
                await turn.end()
                turn.begin(lambda tell: post(batch, tell), arrived)

            async for event in _each(events):
                if turn.is_over:
                    await turn.end()
                batch = gathering.add(event)
                if batch is not None:
                    await go(batch)
            batch = gathering.take()
            if batch is not None:
                await go(batch)
        return sent

    async def send_df(self, frame: Any, **options: Any) -> Sent:
        """Sends the rows of a frame of pandas or polars; what is missing in a row is left out."""
        return await self.send_many(records_of(frame), **options)

    def live(
        self,
        *,
        where: str | None = None,
        last: int | None = None,
        after: int | None = None,
        on_note: Callable[[str, Any], None] | None = None,
    ) -> AsyncIterator[Row]:
        """Events as they come."""
        query = {"where": where, "last": last, "after": after}
        return self._connection.follow(Call("GET", [*self._path, "live"], query=query), "event", on_note)

    async def count(self) -> int:
        return int((await self._connection.json(Call("GET", [*self._path, "count"])))["count"])

    def refused(self) -> AsyncIterator[Row]:
        """The latest events that were refused, each with the reason."""
        return self._connection.listed(Call("GET", [*self._path, "refused"]), "refused")


class Schemas:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def list(self) -> AsyncIterator[Row]:
        return self._connection.listed(Call("GET", ["stream", "list"]), "schemas")

    async def get(self, name: str) -> Answer:
        """In words."""
        return await self._connection.json(Call("GET", ["stream", name, "schema"], query={"as": "words"}))

    async def put(
        self, definition: Mapping[str, Any] | str, *, dry: bool = False, strict: bool = False, force: bool = False
    ) -> Answer:
        """Registers a definition, or changes the one that is there. A text is YAML."""
        content: dict[str, Any] = (
            {"body": definition.encode(), "headers": {"content-type": "application/yaml"}}
            if isinstance(definition, str)
            else {"json": dict(definition)}
        )
        query = {"dry": 1 if dry else None, "strict": 1 if strict else None}
        try:
            return await self._connection.json(
                Call("PUT", ["stream"], query={**query, "force": 1 if force else None}, **content)
            )
        except WeirError as error:
            if error.kind != "missing":
                raise
        return await self._connection.json(Call("POST", ["stream"], query=query, **content))

    async def remove(self, name: str, *, dry: bool = False, undo: int | None = None) -> Answer:
        query = {"dry": 1 if dry else None, "undo": undo}
        return await self._connection.json(Call("DELETE", ["stream", name], query=query))


class Saved:
    """A question with a name."""

    def __init__(self, connection: Connection, name: str) -> None:
        self._connection = connection
        self._path = ["saved", name]

    def rows(
        self, params: Mapping[str, Any] | None = None, *, on_note: Callable[[str], None] | None = None
    ) -> AsyncIterator[Row]:
        call = Call(
            "POST", [*self._path, "rows"], query={"format": "JSONEachRow"}, json=dict(params or {}), repeatable=True
        )
        return self._connection.rows(call, on_note)

    def live(self, params: Mapping[str, Any] | None = None) -> AsyncIterator[Answer]:
        return self._connection.follow(Call("GET", [*self._path, "live"], query=params or {}), "answer")

    async def put(self, question: Mapping[str, Any], *, dry: bool = False) -> Answer:
        return await self._connection.json(
            Call("PUT", self._path, query={"dry": 1 if dry else None}, json=dict(question))
        )

    async def get(self) -> Answer:
        return await self._connection.json(Call("GET", self._path))

    async def remove(self) -> Answer:
        return await self._connection.json(Call("DELETE", self._path))


class Graph:
    def __init__(self, connection: Connection, name: str) -> None:
        self._connection = connection
        self._path = ["graph", name]

    async def make(self) -> Answer:
        return await self._connection.json(Call("POST", self._path))

    async def query(self, text: str) -> Answer:
        """A question, or a statement that changes the graph."""
        return await self._connection.json(Call("POST", [*self._path, "query"], json={"query": text}))

    async def add_node(self, node: Mapping[str, Any]) -> Answer:
        return await self._connection.json(Call("POST", [*self._path, "node"], json=dict(node)))

    async def add_triple(self, triple: Mapping[str, Any]) -> Answer:
        return await self._connection.json(Call("POST", [*self._path, "triple"], json=dict(triple)))

    async def algorithm(self, name: str, settings: Mapping[str, Any] | None = None, *, wait_s: int | None = None) -> Answer:
        return await self._connection.json(
            Call("POST", [*self._path, "algorithm", name], query={"wait": wait_s}, json=dict(settings or {}))
        )

    async def remove(self) -> Answer:
        return await self._connection.json(Call("DELETE", self._path))


class Table:
    """Documents by key."""

    def __init__(self, connection: Connection, database: str, name: str) -> None:
        self._connection = connection
        self._database, self._name = database, name
        self._path = ["db", database, name]

    async def make(self, **settings: Any) -> Answer:
        body = {"table_name": self._name, "table_type": 1, "key_type": 1, **settings}
        return await self._connection.json(Call("POST", ["db", self._database, "table"], json=body))

    async def put(self, key: str | int, document: Any) -> Answer:
        body = {"_pk": key, "doc": document}
        return await self._connection.json(Call("POST", [*self._path, "doc"], json=body, repeatable=True))

    async def get(self, key: str | int) -> Row | None:
        """None where no record has the key."""
        try:
            return await self._connection.json(Call("GET", self._path, query={"key": key}))
        except WeirError as error:
            if error.kind == "missing" and "record" in str(error):
                return None
            raise

    async def remove(self, key: str | int) -> Answer:
        return await self._connection.json(Call("DELETE", self._path, query={"key": key}))

    async def count(self) -> int:
        return int((await self._connection.json(Call("GET", [*self._path, "count"])))["count"])

    async def drop(self) -> Answer:
        return await self._connection.json(Call("DELETE", self._path))


class Bucket:
    def __init__(self, connection: Connection, name: str) -> None:
        self._connection = connection
        self._name = name

    async def make(self) -> Answer:
        return await self._connection.json(Call("POST", ["brs", "bucket"], json={"bucket_name": self._name}))

    async def put(self, key: str, body: bytes) -> Answer:
        return await self._connection.json(Call("PUT", ["brs", self._name, "object", key], body=body))

    async def get(self, key: str) -> bytes:
        return await self._connection.bytes(Call("GET", ["brs", self._name, "object", key]))

    def list(self) -> AsyncIterator[Row]:
        return self._connection.listed(Call("POST", ["brs", "object", "list"], json={"bucket_name": self._name}), "key_list")

    async def remove(self, key: str) -> Answer:
        return await self._connection.json(Call("DELETE", ["brs", self._name, "object", key]))

    async def drop(self) -> Answer:
        return await self._connection.json(Call("POST", ["brs", "bucket", "delete"], json={"bucket_name": self._name}))


class Models:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def list(self) -> AsyncIterator[Row]:
        return self._connection.listed(Call("GET", ["ml"]), "models")

    async def train(self, request: Mapping[str, Any]) -> Answer:
        """Begins a training; ``states`` follows it."""
        return await self._connection.json(Call("POST", ["ml", "train"], json=dict(request)))

    async def states(self, schema: str, model: str) -> AsyncIterator[Row]:
        """The states of a training until it has ended; raises where it fails."""
        wait_s, told = 0.1, None
        while True:
            state = await self._connection.json(Call("GET", ["ml", schema, model, "status"]))
            if state != told:
                yield state
            told = state
            if state["train_req_state"] == _TRAINED:
                return
            if state.get("reason") is not None:
                raise WeirError("refused", f"the training ended: {state['reason']}")
            await asyncio.sleep(wait_s)
            wait_s = min(2.0, wait_s * 1.5)

    async def predict(self, request: Mapping[str, Any]) -> Answer:
        """Predicts for one row: ``data`` is a line of CSV, or has values by their names."""
        body, data = dict(request), request.get("data")
        if isinstance(data, Mapping):
            body |= {"input_format": "JSON", "data": dumps(data)}
        return await self._connection.json(Call("POST", ["ml", "pred", "2"], json=body, repeatable=True))

    async def forecast(self, request: Mapping[str, Any]) -> Answer:
        return await self._connection.json(Call("POST", ["ml", "forecast"], json=dict(request), repeatable=True))

    async def metrics(self, schema: str, model: str) -> Answer:
        return await self._connection.json(Call("GET", ["ml", schema, model, "metrics"]))

    async def remove(self, schema: str, model: str) -> Answer:
        return await self._connection.json(Call("DELETE", ["ml", schema, model]))


class Keys:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def list(self) -> AsyncIterator[Row]:
        return self._connection.listed(Call("GET", ["keys"]), "keys")

    async def make(self, key: Mapping[str, Any]) -> Answer:
        return await self._connection.json(Call("POST", ["keys"], json=dict(key)))

    async def token(self, token: Mapping[str, Any]) -> Answer:
        """A token for a page, which asks one saved question."""
        return await self._connection.json(Call("POST", ["keys", "token"], json=dict(token)))

    async def revoke(self, id: str) -> Answer:
        return await self._connection.json(Call("DELETE", ["keys", id]))


class Hook:
    """A door for the signed webhooks of others."""

    def __init__(self, connection: Connection, name: str) -> None:
        self._connection = connection
        self._path = ["hook", name]

    async def get(self) -> Answer:
        """Its definition, without secrets, and the latest deliveries with their verdicts."""
        return await self._connection.json(Call("GET", self._path))

    async def put(self, definition: Mapping[str, Any], *, dry: bool = False) -> Answer:
        return await self._connection.json(
            Call("PUT", self._path, query={"dry": 1 if dry else None}, json=dict(definition))
        )

    async def remove(self, *, dry: bool = False) -> Answer:
        return await self._connection.json(Call("DELETE", self._path, query={"dry": 1 if dry else None}))


class Source:
    """A topic of somebody else's Kafka, whose messages become events of a stream."""

    def __init__(self, connection: Connection, name: str) -> None:
        self._connection = connection
        self._path = ["source", name]

    async def get(self) -> Answer:
        """How far it is, partition by partition, and the messages that it refused."""
        return await self._connection.json(Call("GET", self._path))

    async def put(self, definition: Mapping[str, Any], *, dry: bool = False) -> Answer:
        return await self._connection.json(
            Call("PUT", self._path, query={"dry": 1 if dry else None}, json=dict(definition))
        )

    async def on(self) -> Answer:
        return await self._connection.json(Call("PUT", [*self._path, "ON"]))

    async def off(self) -> Answer:
        return await self._connection.json(Call("PUT", [*self._path, "OFF"]))

    async def remove(self, *, dry: bool = False) -> Answer:
        return await self._connection.json(Call("DELETE", self._path, query={"dry": 1 if dry else None}))


class Imports:
    """Files in buckets that become events of a stream."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def list(self) -> AsyncIterator[Row]:
        return self._connection.listed(Call("GET", ["import"]), "imports")

    async def start(self, request: Mapping[str, Any], *, wait_s: int | None = None) -> Answer:
        """Begins to bring files of a bucket to a stream; ``states`` follows it by the ``id`` of the answer. Without an ``id`` it gets
        one here, so that a repeat of the request begins no second import."""
        body = {"id": f"import_{uuid.uuid4().hex}", **request}
        return await self._connection.json(
            Call("POST", ["import"], query={"wait": wait_s}, json=body, repeatable=True)
        )

    async def states(self, id: str) -> AsyncIterator[Row]:
        """The states of an import until it is done; raises where it fails."""
        wait_s, told = 0.1, None
        while True:
            state = await self.get(id)
            if state != told:
                yield state
            told = state
            if state["state"] == "done":
                return
            if state["state"] == "failed":
                raise WeirError("refused", f"the import {id} failed: {state.get('reason')}")
            if state["state"] == "cancelled":
                raise WeirError("refused", f"the import {id} was cancelled")
            await asyncio.sleep(wait_s)
            wait_s = min(2.0, wait_s * 1.5)

    async def get(self, id: str) -> Answer:
        return await self._connection.json(Call("GET", ["import", id]))

    async def remove(self, id: str) -> Answer:
        """Ends one that is under way, and forgets one that has ended; the rows that came stay."""
        return await self._connection.json(Call("DELETE", ["import", id]))


class AsyncWeir:
    """Weir, by its nouns. Nothing is asked before the first call."""

    def __init__(
        self,
        url: str | None = None,
        *,
        key: str | None = None,
        timeout_s: float = 60,
        patience_s: float = 60,
        client: httpx.AsyncClient | None = None,
    ) -> None:
        self._connection = Connection(Settings.of(url, key, timeout_s, patience_s), client)
        self.schemas = Schemas(self._connection)
        self.models = Models(self._connection)
        self.keys = Keys(self._connection)
        self.imports = Imports(self._connection)

    async def __aenter__(self) -> AsyncWeir:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        await self._connection.close()

    async def about(self) -> Answer:
        return await self._connection.json(Call("GET", [""]))

    async def health(self) -> Answer:
        return await self._connection.json(Call("GET", ["health", "ready"]))

    def stream(self, schema: str, name: str) -> Stream:
        return Stream(self._connection, schema, name)

    def saved(self, name: str) -> Saved:
        return Saved(self._connection, name)

    def questions(self) -> AsyncIterator[Row]:
        return self._connection.listed(Call("GET", ["saved"]), "saved")

    def hook(self, name: str) -> Hook:
        return Hook(self._connection, name)

    def hooks(self) -> AsyncIterator[Row]:
        return self._connection.listed(Call("GET", ["hook"]), "hooks")

    def source(self, name: str) -> Source:
        return Source(self._connection, name)

    def sources(self) -> AsyncIterator[Row]:
        return self._connection.listed(Call("GET", ["source"]), "sources")

    def graph(self, name: str) -> Graph:
        return Graph(self._connection, name)

    def graphs(self) -> AsyncIterator[str]:
        return self._connection.listed(Call("GET", ["graph", "list"]), "graphs")

    def table(self, database: str, name: str) -> Table:
        return Table(self._connection, database, name)

    def bucket(self, name: str) -> Bucket:
        return Bucket(self._connection, name)

    def query(
        self, text: str, *, eventual: bool = False, on_note: Callable[[str], None] | None = None
    ) -> AsyncIterator[Row]:
        """The rows of a ``select`` of Weir's own language, plainly; ``on_note`` is told what the service says beside them."""
        return self._connection.rows(
            Call(
                "POST",
                ["db", "mydb", "query"],
                query={"consistency": "eventual" if eventual else None},
                json={"sql": text},
                headers={"accept": "application/x-ndjson"},
                repeatable=True,
            ),
            on_note,
        )

    async def run(self, text: str) -> Answer:
        """A statement of that language that changes something: insert, update, delete."""
        return await self._connection.json(Call("POST", ["db", "mydb", "query"], json={"sql": text}))

    def sql(
        self,
        text: str,
        params: Mapping[str, Any] | None = None,
        *,
        eventual: bool = False,
        on_note: Callable[[str], None] | None = None,
    ) -> AsyncIterator[Row]:
        """The rows of SQL over all that Weir has; ``params`` are bound to ``{name:Type}``."""
        body: dict[str, Any] = {"sql": text, "format": "JSONEachRow"}
        if params:
            body["params"] = dict(params)
        if eventual:
            body["eventual"] = True
        return self._connection.rows(Call("POST", ["sql"], json=body, repeatable=True), on_note, all_rows=True)

    async def query_df(self, text: str, *, library: str = "pandas") -> Any:
        return frame_of([row async for row in self.query(text)], library)

    async def sql_df(self, text: str, params: Mapping[str, Any] | None = None, *, library: str = "pandas") -> Any:
        return frame_of([row async for row in self.sql(text, params)], library)

    def follow(self, text: str) -> AsyncIterator[Answer]:
        """The answer to a question of Weir's language, again whenever it has changed."""
        call = Call("GET", ["db", "mydb", "query", "live"], query={"sql": text, "rows": "objects"})
        return self._connection.follow(call, "answer")

    @staticmethod
    def verify(headers: Mapping[str, str], body: str | bytes, secret: str) -> Any:
        """The body of a webhook that Weir signed with this secret."""
        return verify(headers, body, secret)


async def _each(events: Iterable[Any] | AsyncIterable[Any]) -> AsyncIterator[Any]:
    if isinstance(events, AsyncIterable):
        async for event in events:
            yield event
    else:
        for event in events:
            yield event
