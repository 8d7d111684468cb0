"""The client beside a service, at WEIR_URL: without and with asyncio."""

import asyncio
import base64
import gzip
import hashlib
import hmac
import json
import socket
import tempfile
import threading
import time
import unittest
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx

from weir_client import AsyncWeir, Weir, WeirError, verify


def definition(name: str) -> dict:
    return {
        "schema": name,
        "streams": {
            "e": {
                "keep": "forever",
                "attributes": {
                    "who": "text",
                    "n": "integer",
                    "x": {"type": "number", "stats": ["summary"], "required": True},
                },
            }
        },
    }


class Nouns(unittest.TestCase):
    def setUp(self) -> None:
        self.weir = Weir()
        self.name = f"py_{uuid.uuid4().hex[:8]}"
        self.weir.schemas.put(definition(self.name))
        self.events = self.weir.stream(self.name, "e")

    def tearDown(self) -> None:
        self.weir.schemas.remove(self.name)
        self.weir.close()

    def test_a_definition_is_tried_and_changed_by_the_same_call(self) -> None:
        tried = self.weir.schemas.put(f"schema: {self.name}\nstreams:\n  e: {{ keep: forever, attributes: {{ x: {{ type: number, stats: [summary], required: true }}, who: text, n: integer, y: text }} }}\n", dry=True)
        self.assertEqual(tried["dry"], 1)
        self.assertNotIn("y", self.weir.schemas.get(self.name)["streams"]["e"]["attributes"])
        self.assertIn(self.name, [each["name"] for each in self.weir.schemas.list()])

    def test_an_event_is_counted_once_under_its_id(self) -> None:
        one, two = (self.events.send({"x": 1}, id="a") for _ in range(2))
        self.assertEqual(one.pk, two.pk)
        self.assertEqual(self.events.count(), 1)

    def test_a_refusal_has_the_words_of_the_service(self) -> None:
        with self.assertRaises(WeirError) as caught:
            self.events.send({"x": "3"})
        self.assertEqual((caught.exception.kind, caught.exception.status), ("refused", 400))
        self.assertTrue(str(caught.exception).startswith("x: expected a number"))

    def test_many_come_in_their_order_and_refused_ones_are_named(self) -> None:
        given = [{"x": "no" if n == 700 else n, "n": n} for n in range(1_000)]
        progress: list[int] = []
        sent = self.events.send_many(iter(given), max_bytes=5_000, gzip=True, on_progress=lambda so_far: progress.append(so_far.accepted))
        self.assertEqual((sent.accepted, sent.rejected, [each.index for each in sent.refused]), (999, 1, [700]))
        self.assertIs(sent.refused[0].event, given[700])
        self.assertGreater(len(progress), 3)
        rows = self.weir.sql(f"SELECT n FROM {self.name}.e ORDER BY _pk, _seq")
        self.assertEqual([row["n"] for row in rows], [n for n in range(1_000) if n != 700])

    def test_a_file_is_its_lines(self) -> None:
        with tempfile.TemporaryFile("w+") as file:
            file.write('{"x":1}\n\n{"x":"no"}\n{"x":3}\n\n')
            file.seek(0)
            sent = self.events.send_many(file)
        self.assertEqual((sent.accepted, [each.index for each in sent.refused]), (2, [2]))

    def test_all_lines_may_be_refused(self) -> None:
        sent = self.events.send_many([{"x": "a"}, '{"x":"b"}'])
        self.assertEqual((sent.accepted, sent.rejected), (0, 2))

    def test_rows_are_plain_and_numbers_exact(self) -> None:
        self.events.send({"x": 1, "n": 9007199254740993, "who": "größe"})
        [row] = self.weir.query(f"select * from {self.name}.e")
        self.assertEqual((row["n"], row["who"], row["x"]), (9007199254740993, "größe", 1))
        self.assertEqual(list(self.weir.query(f"select count(*) from {self.name}.e")), [{"count": 1}])
        [sum_] = self.weir.sql(f"SELECT sum(n) AS s FROM {self.name}.e WHERE x >= {{least:Float64}}", {"least": 1})
        self.assertEqual(sum_["s"], 9007199254740993)

    def test_a_question_that_cannot_be_asked_is_refused(self) -> None:
        with self.assertRaises(WeirError) as caught:
            list(self.weir.sql(f"SELECT nope FROM {self.name}.e"))
        self.assertIn("line 1, column 8", str(caught.exception))
        with self.assertRaises(WeirError):
            list(self.weir.sql("SELECT throwIf(number = 200000, 'gone') AS n FROM numbers(300000)"))

    def test_an_erasure_and_a_format_of_its_own(self) -> None:
        self.events.send({"x": 1})
        self.assertEqual(list(self.weir.query(f"delete from {self.name}.e where x = 1")), [{"retval": 1}])
        self.assertEqual(list(self.weir.sql("SELECT 1 AS a FORMAT JSONL")), [{"a": 1}])
        self.assertEqual(list(self.weir.sql("SELECT 1 AS a FORMAT Null")), [])
        with self.assertRaisesRegex(WeirError, "FORMAT CSV") as caught:
            list(self.weir.sql("SELECT 1 AS a FORMAT CSV"))
        self.assertEqual(caught.exception.kind, "refused")

    def test_live_events(self) -> None:
        self.events.send({"x": 1})
        live = self.events.live(last=1)
        self.assertEqual(next(live)["x"], 1)
        self.events.send({"x": 2})
        self.assertEqual(next(live)["x"], 2)
        live.close()

    def test_the_other_nouns(self) -> None:
        saved = self.weir.saved(self.name)
        saved.put({"sql": "SELECT {n:Int64} + 1 AS n"})
        self.assertEqual(list(saved.rows({"n": 2})), [{"n": 3}])
        self.assertEqual(next(saved.live({"n": 3}))["rows"], [{"n": 4}])
        self.assertIn(self.name, [each["name"] for each in self.weir.questions()])
        saved.remove()
        table = self.weir.table("mydb", self.name)
        table.make()
        table.put("LAX", {"city": "LA"})
        self.assertEqual((table.get("LAX") or {})["city"], "LA")
        self.assertIsNone(table.get("SFO"))
        self.assertEqual(table.count(), 1)
        table.drop()
        bucket = self.weir.bucket(self.name.replace("_", "-"))
        bucket.make()
        bucket.put("a/b c.txt", b"hello")
        self.assertEqual(bucket.get("a/b c.txt"), b"hello")
        self.assertEqual(list(bucket.list()), [{"key": "a/b c.txt"}])
        bucket.remove("a/b c.txt")
        bucket.drop()
        hook = self.weir.hook(self.name)
        door = {"into": f"{self.name}.e", "verify": {"scheme": "github", "secret": "a-secret-of-a-test"}}
        hook.put(door, dry=True)
        self.assertNotIn(self.name, [each["name"] for each in self.weir.hooks()])
        hook.put(door)
        self.assertIn(self.name, [each["name"] for each in self.weir.hooks()])
        self.assertEqual(hook.get()["into"], f"{self.name}.e")
        hook.remove()
        graph = self.weir.graph(f"{self.name}_films")
        graph.make()
        graph.add_node({"label": "Person", "name": "Tom Hanks", "prop": {}})
        self.assertIn(f"{self.name}_films", list(self.weir.graphs()))
        graph.remove()

    def test_a_model_is_trained_and_asked(self) -> None:
        self.events.send_many({"x": n if n % 2 else 1_000 + n} for n in range(40))
        self.weir.models.train(
            {
                "schema-name": self.name,
                "model_name": "kinds",
                "algo_type": "KMEANS",
                "algo_param": {"k": 2},
                "training_details": {"training_source_type": "STREAM", "stream-name": "e"},
                "attr_list": [{"name": "x", "position": 0}],
            }
        )
        *_, last = self.weir.models.states(self.name, "kinds")
        self.assertEqual(last["train_req_state"], 25)
        answer = self.weir.models.predict({"schema-name": self.name, "model_name": "kinds", "input_format": "CSV", "data": "5"})
        self.assertIn(answer["predict_labels"], (0, 1))
        self.weir.models.remove(self.name, "kinds")

    def test_an_import_is_followed_to_its_end(self) -> None:
        bucket = self.weir.bucket(f"{self.name}-past".replace("_", "-"))
        bucket.make()
        bucket.put("a.csv", b"number\n1\nx\n2\n")
        start = {"from": {"bucket": f"{self.name}-past".replace("_", "-"), "key": "a.csv"}, "format": "CSV"}
        named = {**start, "into": f"{self.name}.e", "map": {"x": "number"}, "id": self.name}
        self.assertEqual(self.weir.imports.start(named, wait_s=30)["state"], "done")
        *_, last = self.weir.imports.states(self.name)
        self.assertEqual((last["accepted"], last["rejected"], last["errors"][0]["row"]), (2, 1, 3))
        self.assertEqual(self.weir.imports.start(named)["begun"], last["begun"])
        bucket.put("cut.csv", gzip.compress(b"number\n1\n")[:20])
        cut = {**named, "from": {**start["from"], "key": "cut.csv"}}
        del cut["id"]
        begun = self.weir.imports.start(cut)
        with self.assertRaisesRegex(WeirError, "the import import_[0-9a-f]+ failed: "):
            list(self.weir.imports.states(begun["id"]))
        self.assertEqual([each["id"] for each in self.weir.imports.list()][:2], [begun["id"], self.name])
        self.weir.imports.remove(begun["id"])

    def test_a_frame_is_sent_and_asked(self) -> None:
        try:
            import pandas
        except ImportError:
            self.skipTest("pandas is not installed")
        sent = self.events.send_df(pandas.DataFrame({"x": [1.5, 2.5], "who": ["a", None], "n": [1, 2]}))
        self.assertEqual(sent.accepted, 2)
        frame = self.weir.sql_df(f"SELECT who, n, x FROM {self.name}.e ORDER BY n")
        self.assertEqual(frame["x"].tolist(), [1.5, 2.5])
        self.assertEqual(self.weir.query_df(f"select * from {self.name}.e where who = \"a\"")["n"].tolist(), [1])


class WithAsyncio(unittest.IsolatedAsyncioTestCase):
    async def test_events_questions_and_live_answers(self) -> None:
        name = f"py_{uuid.uuid4().hex[:8]}"
        async with AsyncWeir() as weir:
            await weir.schemas.put(definition(name))
            stream = weir.stream(name, "e")

            async def events():
                for n in range(50):
                    await asyncio.sleep(0)
                    yield {"x": n}

            sent = await stream.send_many(events(), max_bytes=100)
            self.assertEqual((sent.accepted, sent.rejected), (50, 0))
            self.assertEqual([row async for row in weir.sql(f"SELECT count() AS n FROM {name}.e")], [{"n": 50}])
            live = stream.live(last=1)
            self.assertEqual((await anext(live))["x"], 49)
            await stream.send({"x": 77})
            self.assertEqual((await anext(live))["x"], 77)
            await live.aclose()
            await weir.schemas.remove(name)


    async def test_what_a_batch_came_to_is_told_while_the_events_wait(self) -> None:
        name = f"py_{uuid.uuid4().hex[:8]}"
        async with AsyncWeir() as weir:
            await weir.schemas.put(definition(name))
            for source_waits_for_ever in (False, True):
                told, closed = asyncio.Event(), asyncio.Event()

                async def events():
                    try:
                        yield {"x": "no"}
                        await asyncio.wait_for(told.wait(), 60)
                        if source_waits_for_ever:
                            await asyncio.Event().wait()
                    finally:
                        closed.set()

                sending = weir.stream(name, "e").send_many(events(), max_bytes=1, on_progress=lambda _: told.set())
                if source_waits_for_ever:
                    with self.assertRaises(asyncio.TimeoutError):
                        await asyncio.wait_for(sending, 1)
                else:
                    self.assertEqual([each.index for each in (await sending).refused], [0])
                self.assertTrue(closed.is_set())
            await weir.schemas.remove(name)

    async def test_a_batch_that_fails_ends_the_call_while_the_events_wait(self) -> None:
        async with AsyncWeir() as weir:
            for swallows in (False, True):
                closed = False

                async def events():
                    nonlocal closed
                    try:
                        yield {"x": 1}
                        try:
                            await asyncio.Event().wait()
                        except asyncio.CancelledError:
                            if not swallows:
                                raise
                        yield {"x": 2}
                    finally:
                        closed = not swallows

                with self.assertRaises(WeirError) as caught:
                    await asyncio.wait_for(weir.stream("py_nowhere", "e").send_many(events(), max_bytes=1), 60)
                self.assertEqual(caught.exception.kind, "missing")
                self.assertEqual(closed, not swallows)
            # The caller goes on uncancelled.
            await asyncio.sleep(0)
            with self.assertRaisesRegex(ValueError, "enough"):
                await weir.stream("py_nowhere", "e").send_many(self.broken(), max_bytes=100)

    async def broken(self):
        yield {"x": 1}
        raise ValueError("enough")


class Endless(BaseHTTPRequestHandler):
    """Answers rows without end, and tells when its reader has gone."""

    left = threading.Event()

    def do_POST(self) -> None:
        self.send_response(200)
        self.send_header("content-type", "application/x-ndjson")
        self.end_headers()
        try:
            while True:
                self.wfile.write(b'{"n":1}\n' * 1_000)
        except OSError:
            Endless.left.set()

    def log_message(self, *_: object) -> None:
        pass


class Refusing(BaseHTTPRequestHandler):
    """Refuses all, and tells when it has."""

    refused = threading.Event()

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        body = b'{"errcode":-3,"error":["there is no stream e"]}'
        self.send_response(404)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        Refusing.refused.set()

    def log_message(self, *_: object) -> None:
        pass


class Told(BaseHTTPRequestHandler):
    """Gives the answers of its server, one after the other and the last one again; notes what it was asked."""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        self.server.asked.append((self.path, dict(self.headers), body))
        answers = self.server.answers
        status, headers, text = answers[min(len(self.server.asked), len(answers)) - 1]
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(text.encode())

    do_GET = do_POST

    def log_message(self, *_: object) -> None:
        pass


HTML, LINES, EVENTS, JSON = (
    {"content-type": kind} for kind in ("text/html", "application/x-ndjson", "text/event-stream", "application/json")
)


class WithoutAService(unittest.TestCase):
    def server(self, *answers: tuple[int, dict[str, str], str]) -> ThreadingHTTPServer:
        server = ThreadingHTTPServer(("127.0.0.1", 0), Told)
        server.answers, server.asked = answers, []
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return server

    def weir(self, server: ThreadingHTTPServer, **settings) -> Weir:
        weir = Weir(f"http://127.0.0.1:{server.server_port}", **settings)
        self.addCleanup(weir.close)
        return weir

    def test_an_event_that_a_cut_leaves_without_its_end_comes_again(self) -> None:
        for cut in ('id: 2\nevent: event\ndata: {"n":', "id: 2\n", "id: 17"):
            server = self.server(
                (200, EVENTS, 'id: 1\nevent: event\ndata: {"n":1}\n\n' + cut),
                (200, EVENTS, 'id: 2\nevent: event\ndata: {"n":2}\n\nevent: error\ndata: {"errcode":-3,"error":["gone"]}\n\n'),
            )
            live, seen = self.weir(server).stream("s", "e").live(), []
            with self.assertRaises(WeirError) as caught:
                for event in live:
                    seen.append(event)
            self.assertEqual((caught.exception.kind, caught.exception.status, str(caught.exception)), ("missing", None, "gone"))
            self.assertEqual(seen, [{"n": 1}, {"n": 2}])
            self.assertEqual(server.asked[1][1]["last-event-id"], "1")

    def test_an_id_or_a_key_that_no_header_takes_is_refused_at_once(self) -> None:
        server = self.server((200, JSON, '{"errcode":0,"_pk":5}'))
        for id in ("заказ 1", "a\nb"):
            with self.assertRaisesRegex(WeirError, "^the id of an event has a letter .*_id") as caught:
                self.weir(server).stream("s", "e").send({"x": 1}, id=id)
            self.assertEqual(caught.exception.kind, "refused")
        with self.assertRaisesRegex(WeirError, "^the key has a letter"):
            self.weir(server, key="ключ").health()
        self.assertEqual(server.asked, [])
        self.assertEqual(self.weir(server).stream("s", "e").send({"x": 1}, id="größe").pk, 5)

    def test_what_is_no_weir_is_told_and_asked_once(self) -> None:
        for answer in ((200, HTML, "<html>hello</html>\n"), (200, JSON, "{}")):
            server = self.server(answer)
            weir = self.weir(server)
            asks = (
                lambda: list(weir.query("select * from s.e")),
                lambda: list(weir.sql("SELECT 1")),
                lambda: list(weir.saved("q").rows()),
                lambda: list(weir.schemas.list()),
                lambda: next(weir.stream("s", "e").live()),
                lambda: next(weir.follow("select * from s.e")),
            )
            for ask in asks:
                with self.assertRaises(WeirError) as caught:
                    ask()
                self.assertEqual(caught.exception.kind, "foreign")
            self.assertEqual(len(server.asked), len(asks))
        for answer, kind in (((200, LINES, '{"n":1}\n{"n":'), "broken"), ((200, EVENTS, "data: {\n\n"), "foreign")):
            weir = self.weir(self.server(answer))
            with self.assertRaises(WeirError) as caught:
                next(weir.stream("s", "e").live()) if answer[1] is EVENTS else list(weir.sql("SELECT 1"))
            self.assertEqual(caught.exception.kind, kind)

    def test_a_redirect_is_told_and_not_followed(self) -> None:
        other = self.server((200, JSON, '{"errcode":0,"_pk":5}'))
        there = f"http://127.0.0.1:{other.server_port}/weir"
        server = self.server((301, {"location": f"{there}/stream/s/e"}, ""))
        following = httpx.Client(follow_redirects=True)
        self.addCleanup(following.close)
        with self.assertRaisesRegex(WeirError, f" redirects to {there}: give that url$"):
            self.weir(server, key="secret", client=following).stream("s", "e").send({"x": 1})
        self.assertEqual(other.asked, [])

    def test_a_client_of_ones_own_waits_for_as_long_as_timeout_s_says(self) -> None:
        listening = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listening.close)
        for client in (None, httpx.Client(timeout=None)):
            with Weir(f"http://127.0.0.1:{listening.getsockname()[1]}", timeout_s=0.1, patience_s=0, client=client) as weir:
                for ask in (weir.health, lambda: list(weir.sql("SELECT 1"))):
                    with self.assertRaises(WeirError) as caught:
                        ask()
                    self.assertEqual(caught.exception.kind, "timeout")

    def test_a_batch_that_is_larger_than_the_service_takes_goes_as_two(self) -> None:
        too_large = (413, JSON, '{"errcode":-5,"error":["the body exceeds 1 MB"]}')
        server = self.server(
            too_large,
            (200, JSON, '{"errcode":0,"accepted":2,"rejected":0,"errors":[]}'),
            (200, JSON, '{"errcode":0,"accepted":1,"rejected":1,"errors":[{"line":2,"error":"no"}]}'),
            too_large,
        )
        stream = self.weir(server).stream("s", "e")
        sent = stream.send_many([{"n": n} for n in range(4)])
        self.assertEqual((sent.accepted, sent.rejected, sent.batches, sent.bytes), (3, 1, 2, 32))
        self.assertEqual([(each.index, each.event) for each in sent.refused], [(3, {"n": 3})])
        self.assertEqual([body for _, _, body in server.asked[1:]], [b'{"n":0}\n{"n":1}', b'{"n":2}\n{"n":3}'])
        self.assertEqual(len({headers["idempotency-key"] for _, headers, _ in server.asked}), 3)
        with self.assertRaisesRegex(WeirError, "exceeds 1 MB"):
            stream.send_many([{"n": 4}])

    def test_of_refused_events_the_first_1000_are_named_and_all_are_counted(self) -> None:
        errors = [{"line": line, "error": "no"} for line in range(1, 101)]
        server = self.server((200, JSON, json.dumps({"errcode": 0, "accepted": 0, "rejected": 100, "errors": errors})))
        # A batch has a hundred lines of eight bytes.
        sent = self.weir(server).stream("s", "e").send_many(['{"n":1}'] * 1300, max_bytes=800)
        self.assertEqual((sent.rejected, sent.batches, len(sent.refused)), (1300, 13, 1000))
        self.assertEqual((sent.refused[-1].index, sent.refused[-1].event), (999, '{"n":1}'))

    def test_what_the_first_half_came_to_is_told_where_the_second_fails(self) -> None:
        answers = (
            (413, JSON, '{"errcode":-5,"error":["the body exceeds 1 MB"]}'),
            (200, JSON, '{"errcode":0,"accepted":2,"rejected":0,"errors":[]}'),
            (404, JSON, '{"errcode":-3,"error":["there is no stream e"]}'),
        )
        told, events = [], [{"n": n} for n in range(4)]
        with self.assertRaisesRegex(WeirError, "there is no stream e"):
            self.weir(self.server(*answers)).stream("s", "e").send_many(
                events, on_progress=lambda sent: told.append((sent.accepted, threading.current_thread()))
            )
        self.assertEqual(told, [(2, threading.current_thread())])

        async def send() -> None:
            async with AsyncWeir(f"http://127.0.0.1:{self.server(*answers).server_port}") as weir:
                await weir.stream("s", "e").send_many(events, on_progress=lambda sent: told.append(sent.accepted))

        with self.assertRaisesRegex(WeirError, "there is no stream e"):
            asyncio.run(send())
        self.assertEqual(told[1:], [2])

    def test_batches_are_as_large_as_their_bytes(self) -> None:
        server = self.server((200, JSON, '{"errcode":0,"accepted":1,"rejected":0,"errors":[]}'))
        sent = self.weir(server).stream("s", "e").send_many([{"t": "ж" * 30}] * 2, max_bytes=60)
        self.assertEqual((sent.batches, sent.bytes), (2, 2 * 69))

    def test_a_refusal_amid_an_answer_is_of_its_own_kind(self) -> None:
        kinds = ("refused", "unauthorized", "missing", "conflict", "limit", "unavailable", "late")
        for code, kind in enumerate(kinds, start=1):
            refusal = f'{{"errcode":{-code},"error":["so","and so"]}}'
            with self.assertRaises(WeirError) as caught:
                list(self.weir(self.server((200, LINES, '{"n":1}\n' + refusal))).query("select * from s.e"))
            error = caught.exception
            self.assertEqual((error.kind, error.status, error.errcode, str(error)), (kind, None, -code, "so; and so"))

    def test_a_row_whose_only_column_is_cursor_is_a_row(self) -> None:
        weir = self.weir(self.server((200, LINES, '{"cursor":"c"}\n')))
        self.assertEqual(list(weir.query("select cursor from s.e")), [{"cursor": "c"}])
        weir = self.weir(self.server((200, LINES, '{"n":1}\n{"cursor":"c","more_data_to_come":1}\n')))
        self.assertEqual(list(weir.query("select * from s.e limit 1")), [{"n": 1}])
        self.assertEqual(list(weir.saved("q").rows()), [{"n": 1}])
        self.assertEqual(len(list(weir.sql("SELECT 1"))), 2)

    def test_notes_beside_rows_are_told(self) -> None:
        weir, notes = self.weir(self.server((200, {**LINES, "x-weir-note": "a; b"}, '{"n":1}\n'))), []
        for rows in (weir.query("q", on_note=notes.append), weir.sql("q", on_note=notes.append), weir.saved("q").rows(on_note=notes.append)):
            self.assertEqual(list(rows), [{"n": 1}])
        self.assertEqual(notes, ["a; b"] * 3)

    def test_the_answer_to_a_statement_that_erases_is_one_row(self) -> None:
        weir, notes = self.weir(self.server((200, JSON, '{"retval":2,"error":["so","and so"]}'))), []
        rows = list(weir.query("delete from s.e where n = 1", on_note=notes.append))
        self.assertEqual((rows, notes), ([{"retval": 2, "error": ["so", "and so"]}], ["so", "and so"]))

    def test_a_frame_keeps_all_digits_of_whole_numbers_beside_a_gap(self) -> None:
        rows = '{"n":9007199254740993,"u":18446744073709551615,"x":1.5}\n{"n":null,"u":null,"x":null}\n{"x":2}\n'
        weir = self.weir(self.server((200, LINES, rows)))
        for frame in (weir.query_df("q"), weir.sql_df("q")):
            self.assertEqual((int(frame["n"][0]), int(frame["u"][0])), (9007199254740993, 18446744073709551615))
            self.assertEqual((frame["n"].isna().tolist(), str(frame["n"].dtype)), ([False, True, True], "Int64"))
            self.assertEqual(str(frame["x"].dtype), "float64")

    def test_a_batch_that_fails_ends_the_call_with_the_next_event(self) -> None:
        server = ThreadingHTTPServer(("127.0.0.1", 0), Refusing)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        given = 0

        def events():
            nonlocal given
            yield {"x": "a" * 10_000}
            self.assertTrue(Refusing.refused.wait(60))
            for given in range(1_000):
                time.sleep(0.05)
                yield {"x": given}

        with Weir(f"http://127.0.0.1:{server.server_port}") as weir, self.assertRaises(WeirError) as caught:
            weir.stream("s", "e").send_many(events(), max_bytes=10_000, flush_s=3_600)
        self.assertEqual(caught.exception.kind, "missing")
        self.assertLess(given, 500)
        server.shutdown()
        server.server_close()

    def test_leaving_a_loop_over_rows_closes_the_request(self) -> None:
        server = ThreadingHTTPServer(("127.0.0.1", 0), Endless)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        weir = Weir(f"http://127.0.0.1:{server.server_port}")
        for row in weir.sql("SELECT 1 AS n"):
            self.assertEqual(row, {"n": 1})
            break
        self.assertTrue(Endless.left.wait(10))
        server.shutdown()
        server.server_close()
        weir.close()

    def test_a_wrong_address_is_one_clear_line(self) -> None:
        with self.assertRaises(WeirError) as caught:
            Weir("http://127.0.0.1:9", patience_s=0).about()
        self.assertEqual(caught.exception.kind, "network")
        self.assertNotIn("\n", str(caught.exception))

    def test_a_webhook_is_what_its_secret_signed(self) -> None:
        key = bytes(range(32))
        secret = "whsec_" + base64.b64encode(key).decode()
        stamp, body = str(int(time.time())), '{"count":1,"name":"größe"}'
        signature = base64.b64encode(hmac.new(key, f"m.{stamp}.{body}".encode(), hashlib.sha256).digest()).decode()
        headers = {"Webhook-Id": "m", "webhook-timestamp": stamp, "webhook-signature": f"v1,AAAA v1,{signature}"}
        self.assertEqual(verify(headers, body, secret), {"count": 1, "name": "größe"})
        for wrong in (
            lambda: verify(headers, body + " ", secret),
            lambda: verify(headers, body, secret, now=time.time() + 301),
            lambda: verify({**headers, "webhook-timestamp": "soon"}, body, secret),
            lambda: verify({"webhook-id": "m"}, body, secret),
        ):
            self.assertRaises(WeirError, wrong)


if __name__ == "__main__":
    unittest.main()
