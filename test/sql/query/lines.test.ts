/** The two ways in which ClickHouse writes events as lines: both give the same bytes. */
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { ClickHouseError } from '../../../infra/clickhouse/clickhouse.ts'
import { createEmbeddedClickHouse } from '../../../infra/clickhouse/embedded/client.ts'
import { createClickHouseFeed } from '../../../infra/clickhouse/feed.ts'
import { migrate } from '../../../infra/clickhouse/migrate.ts'
import {
  compileAlike,
  compileLines,
  compilePlaces,
  isUnlike,
  type LinesRequest,
} from '../../../sql/query/compile/lines.ts'
import { noColumns, type StreamSource } from '../../../sql/query/compile/source.ts'
import { createSchema } from '../../../sql/schema/ddl/schema.ts'
import { decodeSchema } from '../../../sql/schema/decode.ts'
import { randomFor } from '../../support/random/seed.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const clickhouse = createEmbeddedClickHouse({ path: join(temporaryFolder(), 'clickhouse') })
const feed = createClickHouseFeed(clickhouse)
test.after.always(() => clickhouse.close())

const names = ['s', 'n', 'd', 'b', 'constructor'] as const
const schema = decodeSchema({
  schema: 'told',
  streams: [
    {
      name: 'lines',
      type: 1,
      swsz: 0,
      attr: [
        { name: 's', type: 'STRING' },
        { name: 'n', type: 'LONG' },
        { name: 'd', type: 'DOUBLE' },
        { name: 'b', type: 'BOOL' },
        { name: 'constructor', type: 'STRING' },
      ],
    },
  ],
})
const [stream] = schema.streams
if (!stream) throw new Error('the schema has a stream')
const source: StreamSource = { schema, stream, columns: noColumns, now_us: 0 }

test.before(async () => {
  await migrate(clickhouse)
  for (const statement of createSchema(schema)) await clickhouse.run(statement)
})

const texts = ['', 'a', '"\\/\b\f\n\r\t', '\u0000\u001f\u007f', '\u2028\u2029<&', 'ü😀', 'null', 'x'.repeat(300)]
const longs = ['0', '-1', '9007199254740993', '9223372036854775807', '-9223372036854775808']
const doubles = [
  '0.1',
  '-1e-7',
  '1e21',
  '123456789012345680000',
  '5e-324',
  '1.7976931348623157e308',
  '3',
  '1e15',
  '1e16',
]
/** The texts of JSON of an attribute's values. */
const values: Readonly<Record<(typeof names)[number], readonly string[]>> = {
  s: texts.map((text) => JSON.stringify(text)),
  n: longs,
  d: doubles,
  b: ['true', 'false'],
  constructor: texts.map((text) => JSON.stringify(text)),
}

let last = 0
let batches = 0

/** Events with these members, one a microsecond; the rows in which they stand. */
async function bring(
  events: readonly (readonly string[])[],
  pk: (at: number) => number | bigint = (at) => at,
): Promise<LinesRequest> {
  const first = last + 1
  const lines = events.map((members) => {
    last++
    return `{${[`"_pk":${pk(last)}`, `"_seq":${last}`, ...members].join(',')}}\n`
  })
  await feed.insert('told.lines', Buffer.from(lines.join('')), `lines:${batches++}`)
  return {
    after: { pk: String(pk(last)), seq: String(last + 1) },
    to: { pk: String(pk(first)), seq: String(first) },
  }
}

const linesOf = (request: LinesRequest) => clickhouse.read(compileLines(source, request), 'TabSeparatedRaw')
const alike = (request: LinesRequest, present: readonly string[]) =>
  clickhouse.read(compileAlike(source, new Set(present), request), 'JSONEachRow')

const everyone = ['"s":"a"', '"n":1', '"d":0.5', '"b":true', '"constructor":"c"']

test.serial('events that have the same members are the same bytes by ClickHouse’s writer of JSON', async (t) => {
  const random = randomFor(t)
  const member = (name: (typeof names)[number]) => `${JSON.stringify(name)}:${random.pick(values[name])}`
  for (let round = 0; round < 40; round++) {
    const present = names.filter(() => random.chance(0.7))
    const request = await bring(Array.from({ length: 20 }, () => present.map(member)))
    const own = await linesOf(request)
    t.is(own.toString().split('\n').length, 21)
    t.is((await alike(request, present)).toString(), own.toString(), present.join())
  }
})

test.serial('times before 1970 and up to the last one are the same, and a later one is refused', async (t) => {
  for (const pk of [-1n, -2_208_988_800_000_000n, 0n, 1_700_000_000_000_001n, 10_413_791_999_999_999n]) {
    const request = await bring([everyone], () => pk)
    t.is((await alike(request, names)).toString(), (await linesOf(request)).toString(), String(pk))
  }
  await refused(t, await bring([everyone], () => 10_413_792_000_000_000n), names)
})

test.serial('an event that lacks a member, has one more or one that is no column is refused', async (t) => {
  for (const place of everyone.keys())
    await refused(t, await bring([everyone, everyone.filter((_, at) => at !== place), everyone]), names)
  await refused(t, await bring([everyone]), names.slice(1))
  await refused(t, await bring([everyone, [...everyone, '"_rest":"{\\"more\\":1}"'], everyone]), names)
})

async function refused(t: ExecutionContext, request: LinesRequest, present: readonly string[]): Promise<void> {
  const error = await t.throwsAsync(alike(request, present), { instanceOf: ClickHouseError })
  t.true(error instanceof ClickHouseError && isUnlike(error), error?.message)
}

test.serial('places stand as many events apart as they should, from where a page ended', async (t) => {
  const { after } = await bring(Array.from({ length: 25_000 }, () => everyone))
  const placesOf = async (more: object) => {
    const places = await clickhouse.rows<{ pk: string; seq: string }>(
      compilePlaces(source, { ...(after && { after }), apart: 7_000, count: 3, ...more }),
    )
    t.true(places.every(({ pk, seq }) => pk === seq))
    return places.map(({ pk }) => last + 1 - Number(pk))
  }
  t.deepEqual(await placesOf({}), [7_000, 14_000, 21_000])
  t.deepEqual(await placesOf({ count: 1 }), [7_000])
  t.deepEqual(await placesOf({ apart: 1, count: 2 }), [1, 2])
  const end = String(last - 10)
  t.deepEqual(await placesOf({ after: { pk: end, seq: end } }), [7_011, 14_011, 21_011])
  t.deepEqual(await placesOf({ after: { pk: end, seq: end, seen: 1 } }), [7_011, 14_011, 21_011])
})
