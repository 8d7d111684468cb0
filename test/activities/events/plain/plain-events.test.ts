import test from 'ava'
import fc from 'fast-check'
import { compileComputed } from '../../../../activities/events/computed/compile.ts'
import { compileEncoder } from '../../../../activities/events/encode-event.ts'
import { compileKey, keyNames } from '../../../../activities/events/key-of.ts'
import { createPivots } from '../../../../activities/events/pivots.ts'
import { LineBuffer } from '../../../../activities/events/plain/line-buffer.ts'
import { compilePlainEvents, pkOf } from '../../../../activities/events/plain/plain-events.ts'
import { compilePlainLines } from '../../../../activities/events/plain/plain-lines.ts'
import { type Event, parseJson } from '../../../../base/json.ts'
import { Refusal } from '../../../../base/refusal.ts'
import { decodeSchema } from '../../../../sql/schema/decode.ts'
import '../../../support/random/seed.ts'

const attributes = [
  { name: 'who', type: 'STRING', stat: 'UCOUNT', pk: 1 },
  { name: 'n', type: 'LONG', stat: 'RSTAT' },
  { name: 'x', type: 'DOUBLE', stat: 'RSTAT' },
  { name: 'ok', type: 'BOOL' },
  { name: 'whole', type: 'STRING' },
  { name: 'o', type: 'OBJECT', fields: [{ name: 'o.n', type: 'DOUBLE', stat: 'RSTAT' }] },
]
const computed = [
  { name: 'y', type: 'DOUBLE', opnm: 'MUL', iatr: ['n', 'x'] },
  { name: 'loud', type: 'STRING', opnm: 'UPPER', iatr: ['who'] },
  { name: 'whole', type: 'STRING', opnm: 'COPY', iatr: ['who'], fnr: 3 },
]

/** Two ways of one stream: the quick one, with the other for what it leaves, and the other one alone. */
function waysOf(catr: readonly object[], attr: readonly object[] = attributes, strict = 0) {
  const schema = decodeSchema({
    schema: 's',
    streams: [{ name: 'st', type: 1, inpt: [], attr, strict, ...(catr.length > 0 && { catr }) }],
  } as never)
  const [stream] = schema.streams
  if (!stream) throw new Error('no stream')
  const keyOf = compileKey(stream)
  if (!keyOf) throw new Error('no key')
  const compute = compileComputed(stream.computed, stream, () => {
    throw new Error('nothing is predicted')
  })
  if (compute.kind !== 'each') throw new Error('computed together')

  /** As a stream without `plain` does it. */
  function general() {
    const encode = compileEncoder(
      schema,
      stream as never,
      createPivots(schema, stream as never, new Map(), () => {}),
    )
    return (text: string, seq: number) => {
      const event = parseJson(text, 'the event') as Event
      const pk = String(event._pk ?? seq)
      event._pk ??= seq
      compute.kind === 'each' && compute.compute(event)
      return { line: encode(event, pk, seq), pk, key: keyOf?.(event, seq) }
    }
  }

  const pivots = createPivots(schema, stream, new Map(), () => {})
  const plain = compilePlainEvents({ stream, pivots, compute, keyOf, keyNames: keyNames(stream) })
  const lines = compilePlainLines({
    stream,
    pivots: createPivots(schema, stream, new Map(), () => {}),
    overwritten: new Set(stream.computed.map(({ name }) => name)),
  })
  if (!plain || !lines) throw new Error('no quick way')
  return { plain, lines, compute: compute.compute, general }
}

const quickly = ({ plain }: ReturnType<typeof waysOf>, text: string, seq: number) => {
  const before = '{"n":'
  const bytes = Buffer.from(`${before}${text}\n{"x":1}`)
  if (!plain.read(bytes, before.length, bytes.length - 8)) return undefined
  const lines = new LineBuffer(1)
  plain.write(seq, lines)
  return { line: lines.taken().toString(), pk: pkOf(lines.taken()), key: plain.key(seq) }
}

/** As events go that rules look at: the event is read, values of ours are set on it, and its line is written then. */
function quicklyWithRules({ lines, compute }: ReturnType<typeof waysOf>, text: string, seq: number) {
  const [before, behind] = ['{"n":', '\n{"x":1}']
  const bytes = Buffer.from(before + text + behind)
  const line = lines.read(bytes, before.length, bytes.length - behind.length)
  if (!line) return undefined
  const event = { _pk: seq, ...line.event }
  compute(event)
  const written = new LineBuffer(1)
  return lines.write(line, event, String(event._pk), seq, written) ? written.taken().toString() : undefined
}

const texts = fc.oneof(
  fc.string({ maxLength: 8, unit: 'grapheme' }).map((text) => JSON.stringify(text)),
  fc.constantFrom('"\\u00fc"', '"a\\/b"', '""', '"12"'),
)
const numbers = fc.oneof(
  fc.integer({ min: -1000, max: 1000 }).map(String),
  fc.integer({ min: -99_999, max: 99_999 }).map((n) => String(n / 100)),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => JSON.stringify(n)),
  fc.constantFrom('-0', '0.0', '1e3', '5.0', '9007199254740993', '8999999999999999', '1.50', '0.0000001'),
)
const values = fc.oneof(texts, numbers, fc.constantFrom('true', 'false', 'null', '{}', '[1]'))
const fitting: Readonly<Record<string, fc.Arbitrary<string>>> = {
  who: texts,
  n: fc.integer({ min: -1000, max: 1000 }).map(String),
  x: numbers,
  ok: fc.constantFrom('true', 'false'),
  whole: texts,
  _pk: fc.integer({ min: 10 ** 8, max: 2 ** 31 }).map((n) => String(n * 1_000_000)),
}
const member = fc
  .constantFrom(...Object.keys(fitting), 'y', 'loud', 'other', '_v', '_id')
  .chain((name) =>
    fc
      .oneof({ arbitrary: fitting[name] ?? values, weight: 12 }, { arbitrary: values, weight: 1 })
      .map((value) => [name, value] as const),
  )
const blanks = fc.constantFrom('', '', '', ' ', '\t', ' \r')
const events = fc
  .tuple(
    fc.uniqueArray(member, { maxLength: 6, selector: ([name]) => name }),
    fc.array(member, { maxLength: 1 }),
    blanks,
    fc.nat(9),
  )
  .map(([members, again, blank, rare]) => {
    const all = rare === 0 ? [...members, ...again] : members
    const inside = all.map(([name, value]) => `${blank}"${name}"${blank}:${blank}${value}`).join(`${blank},`)
    return `${blank}{${inside}${blank}}${blank}`
  })

const limits: Readonly<Record<string, object>> = {
  who: { required: 1 },
  n: { min: -900, max: 900 },
  ok: { values: [true] },
  whole: { values: ['12', '', 'ü'] },
  'o.n': { max: 1 },
}
const limited = attributes.map((attribute) => ({
  ...attribute,
  ...limits[attribute.name],
  ...(attribute.fields && { fields: attribute.fields.map((field) => ({ ...field, ...limits[field.name] })) }),
}))

for (const [what, catr, attr, strict] of [
  ['no computed attributes', [], attributes, 0],
  ['computed attributes', computed, attributes, 0],
  ['limits of values', computed.slice(0, 2), limited, 0],
  ['limits of values and strict', computed.slice(0, 2), limited, 1],
] as const) {
  test(`with ${what} an event has the same line, key and answer by the quick way as by the parser`, (t) => {
    let [quick, all] = [0, 0]
    fc.assert(
      fc.property(fc.array(events, { minLength: 1, maxLength: 40 }), (sent) => {
        const ways = waysOf(catr, attr, strict)
        // A value's pivot depends on the values before it: the other way sees just the events that the quick one takes.
        const general = ways.general()
        for (const [i, text] of sent.entries()) {
          const seq = 1_700_000_000_000_000 + i
          const taken = quickly(ways, text, seq)
          const withRules = quicklyWithRules(ways, text, seq)
          all++
          t.is(withRules === undefined, taken === undefined, text)
          if (!taken) continue
          quick++
          const expected = general(text, seq)
          t.deepEqual(parseJson(taken.line, 'the line'), parseJson(expected.line, 'the line'), text)
          t.deepEqual(parseJson(withRules ?? '', 'the line'), parseJson(expected.line, 'the line'), text)
          t.deepEqual([taken.pk, taken.key], [expected.pk, expected.key], text)
          t.regex(taken.line, /^[^\n]*\n$/)
        }
      }),
      // Few events keep within all limits: of more of them the share is steadier.
      { numRuns: attr === limited ? 400 : 100 },
    )
    t.true(quick > all / (attr === limited ? 300 : 20), `${quick} of ${all} events went the quick way`)
  })
}

test('an event carries pivots of the values alone that lie far from zero', (t) => {
  const schema = decodeSchema({ schema: 's', streams: [{ name: 'st', type: 1, inpt: [], attr: attributes }] } as never)
  const [stream] = schema.streams
  if (!stream) throw new Error('no stream')
  const pivots = createPivots(schema, stream, new Map(), () => {})
  const plain = compilePlainEvents({ stream, pivots, keyNames: [] })
  const lineOf = (event: object) => {
    const lines = new LineBuffer(1)
    const bytes = Buffer.from(JSON.stringify(event))
    t.true(plain?.read(bytes, 0, bytes.length))
    plain?.write(5, lines)
    return JSON.parse(lines.taken().toString())
  }
  for (let n = 0; n < 30; n++) lineOf({ n: n - 15, x: 1e9 + (n % 5) })
  t.deepEqual(lineOf({ ok: true }), { _pk: 5, _seq: 5, ok: true })
  t.deepEqual(lineOf({ n: 7 }), { _pk: 5, _seq: 5, n: 7 })
  t.deepEqual(lineOf({ x: 1e9 }), { _pk: 5, _seq: 5, x: 1e9, _pivot_x: 1e9 + 2 })
})

test('what a client sends by JSON.stringify of declared members goes the quick way, in any order and with any missing', (t) => {
  const ways = waysOf(computed)
  for (const event of [
    { who: 'ann', n: 1, x: 2.5, ok: true },
    { x: 0.1, who: 'ü', ok: false },
    { n: -3 },
    { ok: true, x: 858.63, n: 7, who: '' },
    { _pk: 1_700_000_000_000_000, who: 'ann', whole: 'kept' },
  ]) {
    t.truthy(quickly(ways, JSON.stringify(event), 5), JSON.stringify(event))
  }
})

const notPlain: readonly (readonly [why: string, text: string])[] = [
  ['a member that the schema does not know', '{"who":"ann","other":1}'],
  ['a member twice', '{"n":1,"n":2}'],
  ['null', '{"n":null}'],
  ['the wrong type', '{"n":"1"}'],
  ['a fraction for a LONG', '{"n":1.5}'],
  ['an escape', '{"who":"a\\"b"}'],
  ['a name with an escape', '{"wh\\u006f":"ann"}'],
  ['a name that goes on', '{"whom":"ann"}'],
  ['a key of its own against repeats', '{"_id":"k","n":1}'],
  ['a negative _pk', '{"_pk":-1}'],
  ['a _pk in milliseconds', '{"_pk":1795615455000}'],
  ['a _pk that is a text', '{"_pk":"2026-11-01T00:00:00Z"}'],
  ['no member', '{}'],
  ['a comma too many', '{"n":1,}'],
  ['no end', '{"n":1'],
  ['text behind the end', '{"n":1}x'],
  ['two events', '{"n":1}{"n":2}'],
  ['an array', '[{"n":1}]'],
  ['an exponent', '{"x":1e5}'],
  ['nothing', ''],
]
test('whatever is not plain is left to the parser', (t) => {
  const ways = waysOf([])
  for (const [why, text] of notPlain) t.is(quickly(ways, text, 5), undefined, why)
})

test('what breaks off at its line does not go on in the next one', (t) => {
  const { plain } = waysOf([])
  const bytes = Buffer.from('{"n":1\n,"x":2}')
  t.false(plain.read(bytes, 0, 6))
  t.true(plain.read(bytes, 0, bytes.length))
})

test('streams whose events need a model, or a value without a column, have no quick way', (t) => {
  t.throws(() => waysOf([{ name: 'p', type: 'DOUBLE', opnm: 'PRED', model: 'm', algo: 'SVM', iatr: ['x'] }]), {
    message: 'computed together',
  })
  t.throws(() => waysOf([{ name: 'n', type: 'LONG', opnm: 'NO_SUCH', iatr: ['x'] }]), { instanceOf: Refusal })
})
