import type { ExecutionContext } from 'ava'
import { type ClickHouse, ClickHouseError } from '../../../infra/clickhouse/clickhouse.ts'
import type { Client } from '../../support/requests/client.ts'
import { until } from '../../support/until.ts'
import { differences } from '../streams/compare.ts'
import { everyKind, nextEvent, spoil } from './rebuild-schema.ts'

/** Between the service and its ClickHouse: statements of a rebuild can be held up, or fail. */
export function createInterference() {
  let inner: ClickHouse | undefined
  let before: (statement: string) => Promise<void> | void = () => {}
  const textOf = (statement: { text: string } | string) => (typeof statement === 'string' ? statement : statement.text)
  return {
    clickhouse: (part: ClickHouse): ClickHouse => {
      inner = part
      return {
        ...part,
        async run(statement) {
          if (textOf(statement).includes('weir_rebuild_')) await before(textOf(statement))
          return part.run(statement)
        },
      }
    },
    run: async (text: string): Promise<void> => inner?.run(text),
    rows: async <Row>(text: string): Promise<Row[]> => (await inner?.rows<Row>({ text, params: {} })) ?? [],
    /** From now on this runs before each statement of a rebuild; nothing if absent. */
    before(run: (statement: string) => Promise<void> | void = () => {}): void {
      before = run
    },
  }
}

export type Rebuilt = {
  readonly client: Client
  readonly between: ReturnType<typeof createInterference>
  /** Why the last run of that id failed, once it has. */
  readonly failure: (id: string) => Promise<string | undefined>
}
type Case = (t: ExecutionContext, of: Rebuilt) => Promise<void>

const patience_ms = 150_000
const rebuildOf = async (client: Client, schema: string, stream: string) =>
  (await client.ok(client.get(`/stream/${schema}/info`))).streams.find(({ name }: { name: string }) => name === stream)
    ?.rebuild
export const ended = (client: Client, schema: string, stream = 's') =>
  until(
    'the rebuild',
    async () => {
      const rebuild = await rebuildOf(client, schema, stream)
      return rebuild?.state === 'running' ? undefined : rebuild
    },
    patience_ms,
  )
const post = async (client: Client, stream: string, count: number) => {
  const events = Array.from({ length: count }, nextEvent)
  await client.lines(stream, events)
  return events
}
const countIn = async (client: Client, schema: string): Promise<number> => {
  const [row] = await client.rows(`select aggr(n) from ${schema}.s rollup 1`)
  return JSON.parse(String(row?.v)).aggr_val.cnt
}

/** Holds the rebuild up before the first statement that matches, until it is let go. */
export function holdAt(between: Rebuilt['between'], what: RegExp) {
  let release: () => void = () => {}
  const open = new Promise<void>((resolve) => {
    release = resolve
  })
  let isThere = false
  between.before((statement) => {
    if (!what.test(statement)) return undefined
    isThere = true
    return open
  })
  return {
    there: () => until('the statement', () => isThere, patience_ms),
    release: () => {
      between.before()
      release()
    },
  }
}

export const left = (between: Rebuilt['between']) =>
  between.rows<{ name: string }>("SELECT name FROM system.databases WHERE startsWith(name, 'weir_rebuild_')")

export async function prepared({ client, between }: Pick<Rebuilt, 'client' | 'between'>, name: string) {
  const schema = everyKind(name)
  await client.register(schema)
  const posted = { s: await post(client, `${name}.s`, 40), other: await post(client, `${name}.other`, 20) }
  const before = await differences(client, schema, posted)
  if (before.length > 0) throw new Error(`before the rebuild: ${before.join('; ')}`)
  for (const statement of spoil(name)) await between.run(statement)
  return { schema, posted }
}
/** Cases that hold wherever rebuilds run. */
export const cases: Readonly<Record<string, Case>> = {
  async 'a rebuild makes spoilt aggregates anew: queries see all of the old ones, then all of the new'(t, of) {
    const { client, between } = of
    const { schema, posted } = await prepared(of, 'anew')
    const held = holdAt(between, /EXCHANGE/)
    const asked_us = Date.now() * 1000
    const { error } = await client.ok(client.post('/stream/anew/s/rebuild', ''))
    t.regex(error[0], /rebuild of anew\.s has begun/)
    await held.there()
    const running = await rebuildOf(client, 'anew', 's')
    t.like(running, { state: 'running', done: running.total })
    t.is((await client.post('/stream/anew/s/rebuild', '')).status, 409)
    t.is(await countIn(client, 'anew'), 40 + 1005)
    const { since, total } = running
    t.true(since >= asked_us && since <= Date.now() * 1000, `${since}`)
    held.release()
    t.deepEqual(await ended(client, 'anew'), { state: 'done', done: total, total, since })
    t.deepEqual(await differences(client, schema, posted), [])
    t.deepEqual(await left(between), [])
    t.is((await client.post('/stream/anew/people/rebuild', '')).status, 400)
    t.is((await client.post('/stream/anew/nothing/rebuild', '')).status, 404)
  },

  async 'events that come in during a rebuild count in what answers now, and in what comes'(t, of) {
    const { client, between } = of
    const { schema, posted } = await prepared(of, 'meanwhile')
    const held = holdAt(between, /INSERT INTO .*t1_fill/)
    await client.ok(client.post('/stream/meanwhile/s/rebuild', ''))
    await held.there()
    posted.s.push(...(await post(client, 'meanwhile.s', 15)))
    posted.other.push(...(await post(client, 'meanwhile.other', 5)))
    t.is(await countIn(client, 'meanwhile'), 55 + 1005)
    held.release()
    t.like(await ended(client, 'meanwhile'), { state: 'done' })
    posted.s.push(...(await post(client, 'meanwhile.s', 5)))
    t.deepEqual(await differences(client, schema, posted), [])
  },

  async 'an edit amid a rebuild goes first, and the rebuild begins again'(t, of) {
    const { client, between } = of
    const { schema, posted } = await prepared(of, 'altered')
    const held = holdAt(between, /INSERT INTO .*t2_fill/)
    await client.ok(client.post('/stream/altered/s/rebuild', ''))
    await held.there()
    const gpby = { gpat: ['late'], iatr: 'n', stat: 'COUNT' }
    const streams = schema.streams.map((each) =>
      each.name === 's' ? { ...each, gpby: [...(each.gpby ?? []), gpby] } : each,
    )
    const edited = { ...schema, streams }
    await client.ok(client.send('PUT', '/stream', edited))
    held.release()
    t.like(await ended(client, 'altered'), { state: 'done' })
    t.deepEqual(await differences(client, edited, posted), [])
    t.deepEqual(await left(between), [])
  },

  async 'a rebuild that ClickHouse fails now and then ends all the same'(t, of) {
    const { client, between } = of
    const { schema, posted } = await prepared(of, 'failing')
    const failing = [
      /t3_live` AS/,
      /INSERT INTO .*t1_fill/,
      /RENAME .*t2_fill/,
      /ATTACH .*t1_live/,
      /EXCHANGE .*t3_/,
      /DROP DATABASE/,
    ]
    between.before((statement) => {
      const at = failing.findIndex((what) => what.test(statement))
      if (at < 0) return
      failing.splice(at, 1)
      throw new ClickHouseError(210, 'the connection is broken')
    })
    await client.ok(client.post('/stream/failing/s/rebuild', ''))
    posted.s.push(...(await post(client, 'failing.s', 3)))
    t.like(await ended(client, 'failing'), { state: 'done' })
    between.before()
    t.deepEqual(failing, [])
    t.deepEqual(await differences(client, schema, posted), [])
    t.deepEqual(await left(between), [])
  },

  async 'a rebuild of which a cut-off process took a feed away begins again, and lacks no event'(t, of) {
    const { client, between } = of
    const { schema, posted } = await prepared(of, 'unfed')
    const held = holdAt(between, /INSERT INTO .*t1_fill/)
    await client.ok(client.post('/stream/unfed/s/rebuild', ''))
    await held.there()
    const [database] = await left(between)
    await between.run(`DROP VIEW ${database?.name}.t0_feed SYNC`)
    posted.s.push(...(await post(client, 'unfed.s', 15)))
    held.release()
    t.like(await ended(client, 'unfed'), { state: 'done' })
    t.deepEqual(await differences(client, schema, posted), [])
    t.deepEqual(await left(between), [])
  },

  async 'a schema that goes amid a rebuild takes it along'(t, of) {
    const { client, between } = of
    await prepared(of, 'gone')
    const held = holdAt(between, /INSERT INTO .*t0_fill/)
    await client.ok(client.post('/stream/gone/s/rebuild', ''))
    await held.there()
    await client.ok(client.send('DELETE', '/stream/gone'))
    held.release()
    const schema = everyKind('gone')
    await client.register(schema)
    t.is(await rebuildOf(client, 'gone', 's'), undefined)
    const posted = { s: await post(client, 'gone.s', 5), other: await post(client, 'gone.other', 5) }
    t.deepEqual(await differences(client, schema, posted), [])
    t.deepEqual(await left(between), [])
  },

  async 'a stream that is registered again has no rebuild of the one before, whichever way that went'(t, of) {
    const { client, between } = of
    const { schema } = await prepared(of, 'again')
    const shown = () => rebuildOf(client, 'again', 's')
    await client.ok(client.post('/stream/again/s/rebuild', ''))
    t.like(await ended(client, 'again'), { state: 'done' })
    await client.ok(client.send('DELETE', '/stream/again'))
    await client.register(schema)
    t.is(await shown(), undefined)

    await client.ok(client.post('/stream/again/s/rebuild', ''))
    t.like(await ended(client, 'again'), { state: 'done' })
    await client.ok(client.post('/stream/again/other/rebuild', ''))
    t.like(await ended(client, 'again', 'other'), { state: 'done' })
    const without = schema.streams.filter(({ name }) => name !== 'other')
    const streams = without.map((each) => (each.name === 'people' ? { ...each, inpt: ['s'] } : each))
    await client.ok(client.send('PUT', '/stream?force=1', { ...schema, streams }))
    await client.ok(client.send('PUT', '/stream', schema))
    t.is(await rebuildOf(client, 'again', 'other'), undefined)
    t.like(await shown(), { state: 'done' })
    t.deepEqual(await left(between), [])
  },

  async 'a rebuild of a stream that was deleted amid it changes nothing in the next one of its name, whose own goes on'(
    t,
    of,
  ) {
    const { client, between } = of
    const { schema } = await prepared(of, 'next')
    const former = holdAt(between, /INSERT INTO .*t0_fill/)
    await client.ok(client.post('/stream/next/s/rebuild', ''))
    await former.there()
    await client.ok(client.send('DELETE', '/stream/next'))
    await client.register(schema)
    const posted = { s: await post(client, 'next.s', 40), other: await post(client, 'next.other', 20) }
    for (const statement of spoil('next')) await between.run(statement)
    const own = holdAt(between, /INSERT INTO .*t1_fill/)
    await client.ok(client.post('/stream/next/s/rebuild', ''))
    await own.there()
    const [begun] = await left(between)
    former.release()
    t.regex(await until('its end', () => of.failure('rebuild:next:s'), patience_ms), /stream next\.s was deleted/)
    t.deepEqual(await left(between), [begun])
    own.release()
    t.like(await ended(client, 'next'), { state: 'done' })
    t.deepEqual(await differences(client, schema, posted), [])
    t.deepEqual(await left(between), [])
  },
}
