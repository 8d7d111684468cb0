/** Random texts of line protocol, read by our reader and by InfluxData's own decoder: the same points, the same refusals. */
import { spawn } from 'node:child_process'
import { text as textOf } from 'node:stream/consumers'
import test from 'ava'
import { LineReader, lineTextOf } from '../../../activities/capture/line-protocol.ts'
import { ensureLineProtocolDecoder } from '../../../scripts/parts/line-protocol.js'
import type { Random } from '../../support/random/random.ts'
import { randomFor, runs } from '../../support/random/seed.ts'

const program = await ensureLineProtocolDecoder()
const having = program === undefined ? test.skip : test

const names = ['m', 'cpu load', 'a,b', 'k=v', 'ö', '\u{1f600}', 'x\\', '#', '"q"', 'a\\ b', 'n\\n', '_', '-', '0']
const texts = ['', 'x', 'a "b"', '\\', '\\\\"', 'a\nb', '\r\n', 'ü\t', 'a,b=c d', '\\n', '#', "'"]
const numbers = [
  ...[
    '0',
    '-0',
    '1',
    '-1',
    '1.5',
    '.5',
    '5.',
    '-.5',
    '1e3',
    '1E-3',
    '1e+3',
    '01',
    '1e308',
    '-1e-400',
    '9007199254740993',
  ],
  ...[
    '123456789012345678901234567890',
    '0.1000000000000000055',
    '1i',
    '-1i',
    '0i',
    '-0i',
    '01i',
    '9223372036854775807i',
  ],
  ...['-9223372036854775808i', '1u', '0u', '01u', '18446744073709551615u'],
]
const badNumbers = [
  ...[
    '1e400',
    '+1',
    '1_0',
    '0x1',
    '0x1p3',
    'NaN',
    'inf',
    '-',
    '.',
    'e1',
    '1e',
    '9223372036854775808i',
    '1.0i',
    'i',
    '-i',
    '-0u',
  ],
  ...[
    '-1u',
    '18446744073709551616u',
    'u',
    '+1u',
    '+1i',
    '1e3i',
    '1_0i',
    '1I',
    '1U',
    'tRUE',
    'tr',
    'truee',
    'y',
    'null',
    '',
  ],
]
const truths = ['t', 'T', 'true', 'True', 'TRUE', 'f', 'F', 'false', 'False', 'FALSE']
const times = ['0', '-1', '1793491200000000000', '9223372036854775807', '-9223372036854775808', '00', '-0']
const badTimes = [
  '9223372036854775808',
  '--1',
  '1-',
  '-',
  '1.0',
  '1e3',
  '+1',
  '1i',
  '1s',
  '1_0',
  '99999999999999999999999999',
]
/** Bytes that a mutation puts into a text, or in the place of one. */
const bytes = [...' ,="\\\n\r\t#iuteE.-+0aö\0\x7f', 'é', '\u{2028}'].map((each) => Buffer.from(each))
const broken = [[0xff], [0xc3], [0x80, 0x80], [0xed, 0xa0, 0x80]].map((each) => Buffer.from(each))

const escaped = (name: string, ends: RegExp): string => name.replace(ends, '\\$&')
const keyOf = (random: Random): string => escaped(random.pick(names), random.chance(0.9) ? /[,= ]/g : /[, ]/g)

function valueOf(random: Random): string {
  const kind = random.next()
  if (kind < 0.05) return random.pick(badNumbers)
  if (kind < 0.5) return random.pick(numbers)
  if (kind < 0.7) return random.pick(truths)
  return `"${random.pick(texts).replace(/["\\]/g, (each) => (random.chance(0.9) ? `\\${each}` : each))}"`
}

function many(random: Random, most: number, one: () => string): string[] {
  return Array.from({ length: random.whole(0, most) }, one)
}

function lineOf(random: Random): string {
  const tags = many(random, 3, () => `,${keyOf(random)}=${keyOf(random)}`).join('')
  const fields = [
    `${keyOf(random)}=${valueOf(random)}`,
    ...many(random, 2, () => `${keyOf(random)}=${valueOf(random)}`),
  ]
  const at = random.chance(0.7) ? ` ${random.pick(random.chance(0.95) ? times : badTimes)}` : ''
  return `${escaped(random.pick(names), /[, ]/g)}${tags} ${fields.join(',')}${at}`
}

function bodyOf(random: Random): Buffer {
  const breaks = () => random.pick(['\n', '\n', '\n', '\r\n', '\n\n', '\n# a comment\n', ' \n', '\r'])
  let body = Buffer.from(Array.from({ length: random.whole(1, 4) }, () => lineOf(random) + breaks()).join(''))
  for (let left = random.pick([0, 0, 1, 1, 2, 4]); left > 0; left--) {
    const at = random.whole(0, body.length)
    const put = random.chance(0.5) ? random.pick(random.chance(0.9) ? bytes : broken) : Buffer.alloc(0)
    body = Buffer.concat([body.subarray(0, at), put, body.subarray(at + random.whole(0, 1))])
  }
  return body
}

/** A point as main.go writes it: each name and text in base64. */
type Theirs = {
  readonly m: string
  readonly t: readonly (readonly [key: string, value: string])[]
  readonly f: readonly (readonly [key: string, kind: string, value: string, written: string])[]
  readonly at: string
}
const decoded = (base64: string): string => Buffer.from(base64, 'base64').toString('utf8')
const valuesOf: Readonly<Record<string, (value: string) => unknown>> = {
  string: decoded,
  float: Number,
  int: BigInt,
  uint: BigInt,
  bool: (value) => value === 'true',
}
const pointOfTheirs = ({ m, t, f, at }: Theirs): unknown => ({
  measurement: decoded(m),
  tags: t.map((tag) => tag.map(decoded)),
  fields: f.map(([key, kind, value]) => [decoded(key), valuesOf[kind]?.(value)]),
  at: at === '' ? undefined : BigInt(at),
})

/** Points that the decoder reads and ours refuses, each with the reason. */
const refusedByUs: Readonly<Record<string, (point: Theirs) => boolean>> = {
  'two tags of one name: the corpus beside the decoder refuses them too': ({ t: tags }) =>
    new Set(tags.map(([key]) => key)).size < tags.length,
  'a number as Go writes it, with underscores or in base 16: InfluxDB’s reference has neither': ({ f: fields }) =>
    fields.some(([, kind, , written]) => kind === 'float' && /[_xp]/i.test(decoded(written))),
}

/** Our points, up to the first that is refused. A time beyond 64 bits is refused behind the reader, by the stream's own bound. */
function oursOf(body: Buffer, kinds: readonly (readonly string[])[]): unknown[] {
  const reader = new LineReader(lineTextOf(body))
  const read: unknown[] = []
  for (let each = reader.next(); each; each = reader.next()) {
    if (!('point' in each)) return [...read, 'refused']
    const { measurement, tags, fields, time } = each.point
    if (time !== undefined && BigInt.asIntN(64, time) !== time) return [...read, 'refused']
    const kindOf = kinds[read.length] ?? []
    const values = fields.map(([key, value], at) => [
      key,
      ['int', 'uint'].includes(kindOf[at] ?? '') && typeof value === 'number' ? BigInt(value) : value,
    ])
    read.push({ measurement, tags, fields: values, at: time })
  }
  return read
}

having('a random text has the points that InfluxData’s decoder reads in it, or is refused as there', async (t) => {
  const random = randomFor(t)
  const bodies = Array.from({ length: runs(30_000, 300_000) }, () => bodyOf(random))
  const decoder = spawn(program ?? '', ['read'], { stdio: ['pipe', 'pipe', 'inherit'] })
  const output = textOf(decoder.stdout)
  decoder.stdin.end(bodies.map((body) => `${body.toString('base64')}\n`).join(''))
  const lines = (await output).trimEnd().split('\n')
  t.is(lines.length, bodies.length)
  const counts = { points: 0, refused: 0 }
  for (const [at, body] of bodies.entries()) {
    const theirs = JSON.parse(lines[at] ?? '') as readonly (Theirs | 'refused')[]
    const end = theirs.findIndex((each) => each !== 'refused' && Object.values(refusedByUs).some((is) => is(each)))
    const wanted = end < 0 ? theirs : [...theirs.slice(0, end), 'refused' as const]
    for (const each of wanted) counts[each === 'refused' ? 'refused' : 'points']++
    const kinds = wanted.map((each) => (each === 'refused' ? [] : each.f.map(([, kind]) => kind)))
    const points = wanted.map((each) => (each === 'refused' ? each : pointOfTheirs(each)))
    t.deepEqual(oursOf(body, kinds), points, JSON.stringify(body.toString('latin1')))
  }
  t.log(counts)
  t.true(counts.points > bodies.length / 4 && counts.refused > bodies.length / 4, JSON.stringify(counts))
})
