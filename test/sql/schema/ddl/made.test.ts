/** Streams that rules make, and the matches of rules: lines as the log has them, and what comes of them. */
import test from 'ava'
import { createEmbeddedClickHouse } from '../../../../infra/clickhouse/embedded/client.ts'
import { createClickHouseFeed } from '../../../../infra/clickhouse/feed.ts'
import { migrate } from '../../../../infra/clickhouse/migrate.ts'
import { compileMatches } from '../../../../sql/notification/matches.ts'
import { compileRows } from '../../../../sql/query/compile/rows.ts'
import { noColumns } from '../../../../sql/query/compile/source.ts'
import { parse } from '../../../../sql/query/index.ts'
import { dropFeeds, feedsInto } from '../../../../sql/schema/ddl/feeds.ts'
import { createFeeds, createSchema } from '../../../../sql/schema/ddl/schema.ts'
import { sourcesOf } from '../../../../sql/schema/made.ts'
import { matchesQueue, queueNames } from '../../../../sql/schema/names.ts'
import { matchesGolden } from '../../../support/golden.ts'
import { plant } from '../../../support/made-schema.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const clickhouse = createEmbeddedClickHouse({ path: temporaryFolder() })
const feed = createClickHouseFeed(clickhouse)
test.after.always(() => clickhouse.close())

let batches = 0
const feedLines = (queue: string, lines: readonly object[], token = `${queue}:${batches++}`): Promise<void> =>
  feed.insert(queue, linesOf(lines), token)
const linesOf = (lines: readonly object[]): Buffer =>
  Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))

const reading = (pk: number, temp: number, press: number, jpk1: number) => ({
  _pk: pk,
  _seq: pk,
  temp,
  press,
  point: 'a',
  _rest: JSON.stringify({ _jpk1: jpk1, _j1: { press, deep: { n: jpk1 } } }),
  _pivot_temp: 0,
})

const matchOf = (seq: number, id: number, event: object) => ({
  _pk: 10,
  _seq: seq,
  _notifid: id,
  _event: JSON.stringify({ _pk: 10, _v: 1, ...event }),
})

test.before(async () => {
  await migrate(clickhouse)
  for (const statement of createSchema(plant)) await clickhouse.run(statement)
  await feedLines('plant.temps', [
    { _pk: 10, _seq: 10, temp: 71, point: 'a', _pivot_temp: 0 },
    { _pk: 11, _seq: 11, temp: 40, point: 'b', _pivot_temp: 0 },
    { _pk: 12, _seq: 12, temp: 72, _pivot_temp: 0 },
  ])
  await feedLines('plant.readings', [reading(100, 71, 10.5, 90), reading(110, 72, 11.5, 105)])
  await feedLines('plant.hot', [{ _pk: 10, _seq: 10, temp: 71, point: 'a', twice: 142, _pivot_temp: 0 }])
})

const texts = async (text: string): Promise<string[]> =>
  (await clickhouse.rows<Record<string, unknown>>({ text, params: {} })).map((row) => Object.values(row).join(' '))

async function rows(stream: string, where = ''): Promise<unknown[]> {
  const statement = parse(`select * from plant.${stream}${where}`)
  const target = plant.streams.find(({ name }) => name === stream)
  if (statement.kind !== 'rows' || !target) throw new Error('no rows')
  const source = { schema: plant, stream: target, columns: noColumns, now_us: 1_000_000 }
  const request = { limit: 10, ...(statement.where && { where: statement.where }) }
  return (await clickhouse.rows<{ v: string }>(compileRows(source, request))).map(({ v }) => JSON.parse(v))
}

test('a schema with streams that rules make is made by the statements in examples/made.sql', (t) => {
  const text = createSchema(plant).map((statement) => `${statement};\n`)
  matchesGolden(t, text.join('\n'), new URL('examples/made.sql', import.meta.url))
})

test('no view copies events into a stream that rules make, and views copy its own', async (t) => {
  t.deepEqual(await texts('SELECT _pk, twice FROM plant.hot'), ['10 142'])
  t.deepEqual(await texts('SELECT _pk FROM plant.warm ORDER BY _pk'), ['10', '12'])
  t.deepEqual(await texts('SELECT _pk FROM plant.high'), ['110'])
})

test('a row of a join is found by the time of the other event, and by its attributes', async (t) => {
  const first = { _pk: 100, _v: 1, temp: 71, press: 10.5, point: 'a', _jpk1: 90, _j1: { press: 10.5, deep: { n: 90 } } }
  t.deepEqual((await rows('readings')).at(-1), first)
  for (const where of ['_jpk1 = 90', '_jpk1 < 100', '_j1.press < 11', '_j1.deep.n <= 90 and temp > 1'])
    t.deepEqual(await rows('readings', ` where ${where}`), [first], where)
})

test('a stream that rules make has statistics, groups, entities, relations and notifications of its own', async (t) => {
  t.deepEqual(await texts('SELECT temp_cnt, temp_max FROM plant.readings_by_60s'), ['2 72'])
  t.deepEqual(await texts('SELECT point, temp_cnt FROM plant.readings_by_60s__point'), ['a 2'])
  t.deepEqual(await texts('SELECT point, seen_cnt FROM plant.points'), ['a 2'])
  t.deepEqual(await texts('SELECT subject, object FROM graph.plant_graph_rel ORDER BY ALL'), ['a 71', 'a 72'])
  t.deepEqual(await texts('SELECT _seq, _event FROM weir.notification_matches WHERE _notifid = 8'), [
    '110 {"_pk":110,"_v":1,"temp":72,"press":11.5,"point":"a","_jpk1":105,"_j1":{"press":11.5,"deep":{"n":105}}}',
  ])
  t.deepEqual(await texts('SELECT minute, events FROM weir.usage FINAL WHERE events > 0'), ['0 3'])
})

test('each event gives a node without a relation: the latest properties with updt, else the first', async (t) => {
  t.deepEqual(await texts("SELECT name, properties FROM graph.plant_graph WHERE label = 'place' ORDER BY name"), [
    'a {"temp":71,"twice":142}',
    'b {"temp":40}',
  ])
})

test.serial('matches of rules come once each, however often their batch does', async (t) => {
  const lines = [matchOf(21, 7, { temp: 1 }), matchOf(22, 7, { temp: 1 }), matchOf(23, 9, { text: 'ü"' })]
  const queue = matchesQueue('plant')
  await feedLines(queue, lines, 'one batch')
  await feedLines(queue, lines, 'one batch')
  const found = await clickhouse.rows<{ seq: string; id: number; event: string }>(compileMatches(10))
  t.deepEqual(
    found.filter(({ id }) => id !== 8).map(({ seq, id, event }) => [seq, id, event]),
    lines.map(({ _seq, _notifid, _event }) => [String(_seq), _notifid, _event]),
  )
  t.true(await feed.isThere(queue, linesOf(lines)))
  t.false(await feed.isThere(queue, linesOf([...lines, matchOf(24, 9, {})])))
})

test('a line of matches that ClickHouse refuses is kept with the reason', async (t) => {
  await feed.reject(matchesQueue('plant'), Buffer.from('{"_pk":1,"_seq":"x"}\n'), 'no number', 'token of it')
  t.deepEqual(await texts('SELECT line, reason FROM plant.weir__matches__rejected'), ['{"_pk":1,"_seq":"x"} no number'])
})

test('queries wait for the parts of the log that reach a stream', (t) => {
  const sources = plant.streams.map((stream) => [
    stream.name,
    sourcesOf(plant, stream)
      .map(({ name }) => name)
      .join(' '),
  ])
  t.deepEqual(Object.fromEntries(sources), {
    temps: 'temps',
    presses: 'presses',
    readings: 'readings',
    hot: 'hot',
    rising: 'rising',
    warm: 'temps',
    high: 'readings',
    points: 'readings',
  })
  t.deepEqual(queueNames(plant).at(-1), matchesQueue('plant'))
  t.false(queueNames({ ...plant, streams: plant.streams.slice(5) }).includes(matchesQueue('plant')))
})

test('OFF takes no view away from a stream that rules make', (t) => {
  const names = plant.streams.filter((stream) => feedsInto(plant, stream).length > 0).map(({ name }) => name)
  t.deepEqual(names, ['warm', 'high', 'points'])
  t.deepEqual(createFeeds(plant, new Set(['readings', 'hot', 'rising'])), createFeeds(plant))
})

test.serial('all feeds go and come again', async (t) => {
  const feeds = async () =>
    texts(
      "SELECT name FROM system.tables WHERE database = 'plant' AND engine IN ('Null', 'MaterializedView') ORDER BY name",
    )
  const before = await feeds()
  for (const statement of dropFeeds(plant)) await clickhouse.run(statement)
  t.deepEqual(await feeds(), [])
  for (const statement of createFeeds(plant)) await clickhouse.run(statement)
  t.deepEqual(await feeds(), before)
})
