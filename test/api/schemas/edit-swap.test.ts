/** The moment of an edit in which its tables take the places of others: cut off at any statement, there and back. */
import test from 'ava'
import { type ClickHouse, ClickHouseError } from '../../../infra/clickhouse/clickhouse.ts'
import { silentLogger } from '../../../infra/logger.ts'
import { createViews } from '../../../sql/schema/ddl/schema.ts'
import { decodeSchema } from '../../../sql/schema/decode.ts'
import { isPicked, isTaken, rounds } from '../../support/random/seed.ts'
import { startService } from '../../support/service.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'
import { differences } from '../streams/compare.ts'
import { type Event, events, type WireSchema } from '../streams/oracle.ts'

/** Called before a statement that changes something, and after it; one that throws cuts the process off there. */
type Hook = (text: string, isDone: boolean) => Promise<void>
const none: Hook = async () => {}
let hook = none
let real: ClickHouse | undefined

const hooked = (part: ClickHouse): ClickHouse => {
  real = part
  return {
    ...part,
    async run(statement) {
      const text = typeof statement === 'string' ? statement : statement.text
      await hook(text, false)
      await part.run(statement)
      await hook(text, true)
    },
  }
}
const folder = temporaryFolder()
const start = () => startService({ DATA_DIR: folder }, silentLogger(), { clickhouse: hooked })
let service = await start()
test.after.always(() => service.close())

/** From the `number`th such statement on, or once it is done, nothing happens any more, as after kill -9. */
function cutAt(pattern: RegExp, number: number, once: 'before' | 'done' = 'before'): () => boolean {
  let left = number
  hook = async (text, isDone) => {
    if (left > 0 && pattern.test(text) && isDone === (once === 'done')) left--
    if (left <= 0) throw new ClickHouseError(999, 'the process has ended')
  }
  return () => left <= 0
}
async function restart(): Promise<void> {
  await service.close()
  service = await start()
}

const entity = (name: string, input: string) => ({
  name,
  opid: 1,
  ratr: [`of_${input}`],
  iatr: [input],
  pkatr: [{ name: 'who', type: 5, iatr: ['who'] }],
  rstm: 'people',
})
const [n, x] = ['n', 'x'].map((name) => ({ name, type: 9 })) as [object, object]
/** With `more` three tables gain measures, and a stream comes. */
const schemaOf = (name: string, more: boolean): WireSchema =>
  ({
    schema: name,
    streams: [
      {
        name: 's',
        type: 1,
        swsz: 0,
        attr: [{ name: 'who', type: 5 }, { ...n, stat: 'RSTAT' }, more ? { ...x, stat: 'COUNT' } : x],
        gpby: ['n', ...(more ? ['x'] : [])].map((iatr) => ({ gpat: ['who'], iatr, stat: 'COUNT' })),
        enty: [entity('e', 'n'), ...(more ? [entity('f', 'x')] : [])],
      },
      { name: 'people', type: 4, inpt: ['s'], attr: [] },
      ...(more ? [{ name: 'other', type: 1, swsz: 0, attr: [{ ...n, stat: 'COUNT' }] }] : []),
    ],
  }) as WireSchema

const put = (schema: WireSchema) => service.client.send('PUT', '/stream', schema)
const isReady = async () => (await service.client.get('/health/ready')).body.parts.schemas.status === 'up'
const rows = async <Row>(text: string, params = {}): Promise<Row[]> => (await real?.rows<Row>({ text, params })) ?? []
const beside = (name: string) =>
  rows<{ name: string }>(
    "SELECT name FROM system.tables WHERE database = {name:String} AND match(name, '___(past|next)')",
    { name },
  )

const exchanges = /^EXCHANGE TABLES/
/** Beside the tables' own: on a cluster the table over one is made anew once it has its place. */
const swaps = /^EXCHANGE TABLES|^ALTER TABLE \S+ (ON CLUSTER \S+ )?MODIFY COMMENT|^CREATE OR REPLACE TABLE/

async function begun(name: string): Promise<Event[]> {
  await service.client.register(schemaOf(name, false))
  const posted = events(0, 12)
  await service.client.lines(`${name}.s`, posted)
  await service.client.count(`select count(*) from ${name}.s`)
  return posted
}

/** A schema whose case is over: each start would open its tables again. */
const removed = (name: string) => service.client.ok(service.client.send('DELETE', `/stream/${name}`))

test.serial(
  'while tables take their places queries find each table and view, the one before or the one after',
  async (t) => {
    const name = 'seen'
    const posted = await begun(name)
    const { client } = service
    // Embedded they are made once analysts ask.
    for (const statement of createViews(decodeSchema(schemaOf(name, false)))) await real?.run(statement)
    const asked = ['s__60', 's__60__who', 'people__keys', 's_by_60s', 's_by_60s__who', 'people'].map(
      (table) => `SELECT count() AS n FROM ${name}.${table}`,
    )
    const failures = new Set<string>()
    let [looks, answered] = [0, 0]
    const look = async () => {
      looks++
      const fails = (text: string) => (error: unknown) => failures.add(`${text}: ${error}`)
      await Promise.all(asked.map((text) => rows(text).catch(fails(text))))
      for (const text of [`select aggr(n) from ${name}.s`, `select aggr(n) from ${name}.s groupby who`]) {
        const { status, body } = await client.query(text)
        if (status === 200) answered++
        else failures.add(JSON.stringify(body))
      }
    }
    hook = async (text, isDone) => {
      if (
        !isDone ||
        !/^(EXCHANGE|RENAME|DROP VIEW|CREATE (OR REPLACE )?VIEW|ALTER TABLE \S+ MODIFY COMMENT)/.test(text)
      )
        return
      await look()
    }
    const { status, text } = await put(schemaOf(name, true))
    hook = none
    t.is(status, 200, text)
    t.true(looks >= 6 && answered >= 12, `${looks} looks`)
    t.deepEqual([...failures], [])
    t.deepEqual(await differences(client, schemaOf(name, true), { s: posted, other: [] }), [])
    await removed(name)
  },
)

test.serial(
  'while an edit fills what it adds, info tells how far it is and since when; then it tells nothing',
  async (t) => {
    const name = 'told'
    await begun(name)
    const asked_us = Date.now() * 1000
    type Told = { readonly state: string; readonly done: number; readonly total: number; readonly since: number }
    const seen: Told[] = []
    let isLooking = false
    hook = async (text, isDone) => {
      if (!isDone || isLooking || !/^INSERT INTO \S+___next/.test(text)) return
      isLooking = true
      const { edit } = (await service.client.get(`/stream/${name}/info?consistency=eventual`)).body
      isLooking = false
      if (edit !== undefined) seen.push(edit)
    }
    const { status, text } = await put(schemaOf(name, true))
    hook = none
    t.is(status, 200, text)
    const total = seen[0]?.total ?? 0
    t.true(total >= 3, JSON.stringify(seen))
    // The last statement has run, and is not counted yet.
    t.deepEqual(
      [...new Set(seen.map(({ done }) => done))],
      Array.from({ length: total }, (_, done) => done),
    )
    for (const { state, since } of seen) {
      t.is(state, 'building')
      t.true(since >= asked_us && since <= Date.now() * 1000, `${since}`)
    }
    t.false('edit' in (await service.client.ok(service.client.get(`/stream/${name}/info`))))
    await removed(name)
  },
)

test.serial('an edit that is cut off amid its exchanges is undone by the next process, at any statement', async (t) => {
  let statements = 0
  hook = async (text, isDone) => {
    if (!isDone && swaps.test(text)) statements++
  }
  await begun('counted')
  await service.client.ok(put(schemaOf('counted', true)))
  hook = none
  await removed('counted')
  t.true(statements >= 6, `${statements}`)
  for (let at = 1; at <= statements; at++) {
    for (const [i, once] of (['before', 'done'] as const).entries()) {
      const isPlaceTaken = isPicked(rounds(at, 2 * at + i), rounds(4, 8))
      if (!isPlaceTaken && !(at === 4 && isTaken(i, 2))) continue
      const name = `cut${at}${once}`
      const posted = await begun(name)
      const isCut = cutAt(swaps, at, once)
      t.is((await put(schemaOf(name, true))).status, 503)
      t.true(isCut())
      hook = none
      await restart()
      await until('the edit is undone', isReady, 60_000)
      t.is((await service.client.ok(service.client.get(`/stream/${name}/schema`))).streams.length, 2)
      t.deepEqual(await beside(name), [])
      posted.push(...events(100, 3))
      await service.client.lines(`${name}.s`, posted.slice(-3))
      t.deepEqual(await differences(service.client, schemaOf(name, false), { s: posted }), [], name)
      await service.client.ok(put(schemaOf(name, true)))
      t.deepEqual(await differences(service.client, schemaOf(name, true), { s: posted, other: [] }), [], name)
      await removed(name)
    }
  }
})

test.serial('an undo that is cut off amid its exchanges is ended by the next process, at any statement', async (t) => {
  /** The undo of three exchanges: each of them, and what follows them. */
  const places = [1, 2, 3, 4, 5].filter((at) => at === 2 || isPicked(at, 3))
  for (const at of places) {
    const name = `back${at}`
    const posted = await begun(name)
    // The last of the exchanges is done, and all three are to be taken back.
    cutAt(exchanges, 3, 'done')
    t.is((await put(schemaOf(name, true))).status, 503)
    const isCut = cutAt(swaps, at, at % 2 === 0 ? 'before' : 'done')
    await restart()
    t.true(isCut())
    t.false(await isReady())
    hook = none
    await restart()
    await until('the edit is undone', isReady, 60_000)
    t.deepEqual(await beside(name), [])
    t.deepEqual(await differences(service.client, schemaOf(name, false), { s: posted }), [], name)
    await service.client.ok(put(schemaOf(name, true)))
    t.deepEqual(await differences(service.client, schemaOf(name, true), { s: posted, other: [] }), [], name)
    await removed(name)
  }
})

test.serial('an edit that stands is ended by the next process, wherever the end was cut off', async (t) => {
  for (const at of [1, 2, 3].filter((each) => each === 2 || isPicked(each, 3))) {
    const name = `stands${at}`
    const posted = await begun(name)
    // The tables that lost their places go.
    const isCut = cutAt(
      /^DROP TABLE IF EXISTS \S+___next(___local)?` (ON CLUSTER \S+ )?SYNC/,
      3 + at,
      at % 2 === 0 ? 'done' : 'before',
    )
    const { status, text } = await put(schemaOf(name, true))
    t.is(status, 200, text)
    t.true(isCut())
    hook = none
    await restart()
    await until('the edit is ended', isReady, 60_000)
    t.deepEqual(await beside(name), [])
    t.deepEqual(await differences(service.client, schemaOf(name, true), { s: posted, other: [] }), [], name)
    await removed(name)
  }
})

test.serial(
  'a schema that an earlier version left amid its renaming of tables is refused, and loses nothing',
  async (t) => {
    const name = 'renamed'
    const posted = await begun(name)
    cutAt(exchanges, 2, 'done')
    t.is((await put(schemaOf(name, true))).status, 503)
    hook = none
    await real?.run(`CREATE TABLE ${name}.s__60___before (n Int64) ENGINE = MergeTree ORDER BY n`)
    await restart()
    const { status, body } = await service.client.get(`/stream/${name}/schema`)
    t.is(status, 503)
    t.regex(body.error[0], /by an earlier version is half-done \(s__60___before.*\): start that version once more/)
    await real?.run(`DROP TABLE IF EXISTS ${name}.s__60___before SYNC`)
    await restart()
    await until('the edit is undone', isReady, 60_000)
    t.deepEqual(await differences(service.client, schemaOf(name, false), { s: posted }), [], name)
  },
)
