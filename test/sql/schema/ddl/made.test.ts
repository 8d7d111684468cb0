/** Streams that rules make, and the matches of rules: lines as the log has them, and what comes of them. */
import test from 'ava'
import { createEmbeddedClickHouse } from '../../../../infra/clickhouse/embedded/client.ts'
import { createClickHouseFeed } from '../../../../infra/clickhouse/feed.ts'
import { migrate } from '../../../../infra/clickhouse/migrate.ts'
import { onCluster } from '../../../../sql/cluster.ts'
import { eraseNotified } from '../../../../sql/notification/erase.ts'
import { compileMatches } from '../../../../sql/notification/matches.ts'
import { entitySource } from '../../../../sql/query/compile/entities.ts'
import { compileRows } from '../../../../sql/query/compile/rows.ts'
import { noColumns } from '../../../../sql/query/compile/source.ts'
import { parse } from '../../../../sql/query/index.ts'
import { downstream } from '../../../../sql/schema/columns.ts'
import { changeLog } from '../../../../sql/schema/ddl/edit/switch-log.ts'
import {
  createErasure,
  createFoundKeys,
  createLines,
  createMatched,
  dropErasure,
} from '../../../../sql/schema/ddl/erase.ts'
import { dropFeeds, feedsInto } from '../../../../sql/schema/ddl/feeds.ts'
import { createFeeds, createSchema } from '../../../../sql/schema/ddl/schema.ts'
import { sourcesOf } from '../../../../sql/schema/made.ts'
import { matchesQueue, queueNames } from '../../../../sql/schema/names.ts'
import { asideTable, createAside, dropAside, keepFound } from '../../../../sql/schema/reconcile/aside.ts'
import type { Facts } from '../../../../sql/schema/reconcile/check.ts'
import { planReconcile } from '../../../../sql/schema/reconcile/plan.ts'
import { synced } from '../../../../sql/synced.ts'
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

/** Tables of which a power cut could leave a part whose bytes are lost. */
const unsynced = (): Promise<string[]> =>
  texts(
    `SELECT database, name FROM system.tables WHERE database != 'system' AND engine LIKE '%MergeTree' AND NOT (${synced
      .split(', ')
      .map((setting) => `position(engine_full, '${setting}') > 0`)
      .join(' AND ')})`,
  )

async function rows(stream: string, where = ''): Promise<unknown[]> {
  const statement = parse(`select * from plant.${stream}${where}`)
  const target = plant.streams.find(({ name }) => name === stream)
  if (statement.kind !== 'rows' || !target) throw new Error('no rows')
  const source = { schema: plant, stream: target, columns: noColumns, now_us: 1_000_000 }
  const request = { limit: 10, ...(statement.where && { where: statement.where }) }
  return (await clickhouse.rows<{ v: string }>(compileRows(source, request))).map(({ v }) => JSON.parse(v))
}

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
  await feed.reject(matchesQueue('plant'), [Buffer.from('{"_pk":1,"_seq":"x"}\n')], 'no number', 'token of it')
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
    readings: 'temps presses readings',
    hot: 'temps presses hot',
    rising: 'temps presses rising',
    warm: 'temps',
    high: 'temps presses readings',
    points: 'temps presses readings',
  })
  t.deepEqual(queueNames(plant).at(-1), matchesQueue('plant'))
  t.false(queueNames({ ...plant, streams: plant.streams.slice(5) }).includes(matchesQueue('plant')))
})

test('OFF takes no view away from a stream that rules make', (t) => {
  const names = plant.streams.filter((stream) => feedsInto(plant, stream).length > 0).map(({ name }) => name)
  t.deepEqual(names, ['warm', 'high', 'points'])
  t.deepEqual(createFeeds(plant, new Set(['readings', 'hot', 'rising'])), createFeeds(plant))
})

test.serial(
  'an erasure takes the event out of matches of rules, as the one that made them and as the other one',
  async (t) => {
    const [temps] = plant.streams
    if (!temps) return t.fail()
    const matches = [
      { ...matchOf(51, 7, { n: 1 }), _event: '{"_pk":500,"_v":1,"n":1}' },
      { ...matchOf(52, 7, { n: 1 }), _event: '{"_pk":600,"_v":1,"n":1,"_jpk1":500}' },
      { ...matchOf(53, 7, { n: 1 }), _event: '{"_pk":700,"_v":1,"n":1,"_jpk1":501}' },
      { ...matchOf(54, 9, { n: 1 }), _event: '{"_pk":500,"_v":1,"n":1}' },
    ]
    await feedLines(matchesQueue('plant'), matches)
    await clickhouse.run(createErasure(plant, temps, 't'))
    await clickhouse.run(createMatched('t'))
    await clickhouse.run(createLines('t'))
    await clickhouse.run(createFoundKeys(entitySource(plant, 'points'), 't'))
    t.deepEqual(await unsynced(), [])
    await clickhouse.run('INSERT INTO weir_erase_t.matched (_pk, _seq) VALUES (500, 40)')
    // Of its own stream alone; copies of it stand in others, whose rules have notification 9.
    for (const statement of eraseNotified(plant, [temps], 't')) await clickhouse.run(statement)
    await clickhouse.run(dropErasure('t'))
    const left = await texts(
      'SELECT _seq, _event FROM weir.notification_matches WHERE _seq > 50 AND _seq < 60 ORDER BY 1',
    )
    t.deepEqual(left, ['51 {}', '52 {}', `53 ${matches[2]?._event}`, `54 ${matches[3]?._event}`])
    t.deepEqual(
      downstream(plant, temps).map(({ name }) => name),
      ['temps', 'hot', 'warm', 'rising'],
    )
  },
)

const facts: Facts = {
  now_us: 1_000_000,
  changed_us: 0,
  switched_us: new Map(),
  rewindowed: new Set(),
  erased: new Map(),
}

test.serial('a stream that rules make is compared with its own events, and its copies with nothing', async (t) => {
  const checks = planReconcile(plant, facts)
  const of = (stream: string) => checks.filter((check) => check.stream === stream).map(({ table }) => table)
  t.deepEqual(of('readings'), [
    'readings',
    'readings__60',
    'readings__60__point',
    'plant_graph_rel (READ)',
    'plant_graph__properties (READ)',
  ])
  t.deepEqual(of('hot'), ['hot', 'hot__60', 'plant_graph__properties (node place:point)'])
  t.deepEqual(of('warm'), ['warm', 'warm (filtered)'])

  const wrong = async (): Promise<string[]> => {
    const found: string[] = []
    for (const { table, find } of checks) {
      const rows = await clickhouse.rows({ text: find(), params: {} })
      if (rows.length > 0) found.push(table)
    }
    return found
  }
  t.deepEqual(await wrong(), [])
  await clickhouse.run("DELETE FROM graph.plant_graph__properties WHERE name = 'b'")
  await clickhouse.run('INSERT INTO plant.readings SELECT * FROM plant.readings WHERE _pk = 100')
  t.deepEqual(await wrong(), [
    'readings',
    ...['readings__60', 'readings__60__point', 'points__keys'],
    'plant_graph__properties (node place:point)',
    'plant_graph_rel (READ)',
  ])
  await clickhouse.run(createAside('plant', 't'))
  for (const name of ['readings', 'plant_graph__properties (node place:point)']) {
    for (const check of checks.filter(({ table }) => table === name)) {
      const touched = asideTable('t', 'touched')
      for (const statement of keepFound(check, check.find(), touched)) await clickhouse.run(statement)
      for (const statement of check.repair(touched, asideTable('t', 'aside'))) await clickhouse.run(statement)
      t.deepEqual(await unsynced(), [], name)
    }
  }
  await clickhouse.run(dropAside('t'))
  t.deepEqual(await wrong(), [])
})

test('every statement has its form on a cluster, whichever log brings the lines', (t) => {
  for (const schema of [plant, { ...plant, redelivered: true as const }]) {
    const statements = [...createSchema(schema), ...dropFeeds(schema), ...changeLog(schema, new Set())]
    const checks = planReconcile(schema, facts).map((check) => `INSERT INTO weir_reconcile_t.found ${check.find()}`)
    for (const statement of [...statements, ...checks]) t.notThrows(() => onCluster(statement, 'all'), statement)
  }
})

test.serial(
  'with a log that delivers again, matches and rows of rules pass by a topic of their own, once each',
  async (t) => {
    const schema = { ...plant, name: 'again', redelivered: true as const }
    for (const statement of [...createSchema(schema), ...createSchema(schema)]) await clickhouse.run(statement)
    const delivered = { _lane: 1, _line: '', _reason: '' }
    const lines = [1, 2].map((position) => ({ ...delivered, ...matchOf(30 + position, 9, {}), _position: position }))
    for (const name of ['weir__matches', 'readings'])
      for (const rows of [lines.slice(0, 1), lines, lines])
        await clickhouse.insert({ table: `again.${name}__delivered`, rows: linesOf(rows), token: `${batches++}` })
    t.deepEqual(await texts("SELECT _seq FROM weir.notification_matches WHERE _schema = 'again' ORDER BY 1"), [
      '31',
      '32',
    ])
    t.deepEqual(await texts('SELECT _seq FROM again.readings ORDER BY 1'), ['31', '32'])
  },
)

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
