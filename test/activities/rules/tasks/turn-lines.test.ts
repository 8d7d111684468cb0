import test from 'ava'
import { createPivots } from '../../../../activities/events/pivots.ts'
import { LineBuffer } from '../../../../activities/events/plain/line-buffer.ts'
import { compilePlainLines } from '../../../../activities/events/plain/plain-lines.ts'
import {
  createTurnReader,
  eventLine,
  headText,
  readEvent,
  startsOfLines,
  tellLine,
  writeEventLine,
} from '../../../../activities/rules/tasks/turn-lines.ts'
import { decodeSchema } from '../../../../sql/schema/decode.ts'

const schema = decodeSchema({
  schema: 's',
  streams: [
    {
      name: 'a',
      type: 1,
      attr: [
        { name: 'car', type: 5 },
        { name: 'v', type: 11 },
      ],
    },
  ],
})
const [stream] = schema.streams

test('an event comes to its turn with the members that were sent, its time, its stream and its version, read either way', (t) => {
  if (!stream) return t.fail()
  const plain = compilePlainLines({
    stream,
    pivots: createPivots(schema, stream, new Map(), () => undefined as never),
    overwritten: new Set(),
  })
  if (!plain) return t.fail('the stream has a quick way')
  const [first, other] = [headText({ stream: 'a', of: 'v1', off: '' }), headText({ stream: 'a', of: 'v1', off: 'b,c' })]
  const sent = [
    { text: '{"car":"x","v":1.5}', pk: '1800000000000001', head: first },
    { text: '{ "v" : 2 , "car" : "ä\\"y" }', pk: '1800000000000002', head: first },
    { text: '{"car":"x","other":{"_event":"{}"}}', pk: '1800000000000003', head: first },
    { text: '{}', pk: '9223372036854775807', head: first },
    { text: '{"_pk":1700000000000000,"v":3}', pk: '1700000000000000', head: other },
    { text: '{"v":12345678901234567890}', pk: '1800000000000006', head: first },
  ]
  const lines = new LineBuffer(10)
  for (const [seq, { text, pk, head }] of sent.entries()) {
    const bytes = Buffer.from(text)
    const line = plain.read(bytes, 0, bytes.length)
    if (line) {
      line.event._pk = Number.isSafeInteger(Number(pk)) ? Number(pk) : BigInt(pk)
      writeEventLine(lines, Buffer.from(head), line, pk, seq)
    } else lines.text(eventLine(head, readEvent(bytes, 0, bytes.length), pk, seq))
  }
  lines.text(tellLine({ kind: 'refill', streams: ['a'] }))
  const message = lines.taken()

  const read = createTurnReader()
  const starts = startsOfLines(message)
  t.is(starts.length - 1, sent.length + 1)
  for (const [index, { text, pk, head }] of sent.entries()) {
    const line = read(message, starts[index] ?? 0, starts[index + 1] ?? 0)
    if (!line.head) return t.fail('an event')
    t.is(String(line.pk), pk)
    t.is(headText(line.head), head)
    const { _pk: _, ...expected } = readEvent(Buffer.from(text), 0, Buffer.byteLength(text))
    const { _pk: __, ...found } = readEvent(message, line.start, line.end)
    t.deepEqual(found, expected)
    const quick = plain.read(message, line.start, line.end)
    if (quick) t.deepEqual({ ...quick.event, _pk: undefined }, { ...expected, _pk: undefined })
  }
  t.deepEqual(read(message, starts[sent.length] ?? 0, starts[sent.length + 1] ?? 0), {
    told: { kind: 'refill', streams: ['a'] },
  })
})
