import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { Fault } from '../../../../base/faults.ts'
import { ClickHouseError } from '../../../../infra/clickhouse/clickhouse.ts'
import { createEmbeddedClickHouse } from '../../../../infra/clickhouse/embedded/client.ts'
import { createClickHouseFeed } from '../../../../infra/clickhouse/feed.ts'
import { migrate } from '../../../../infra/clickhouse/migrate.ts'
import { createFeeder } from '../../../../infra/log/embedded/feeder.ts'
import type { Feed } from '../../../../infra/log/embedded/feeder-insert.ts'
import { createLmdbLog } from '../../../../infra/log/embedded/log.ts'
import { silentLogger } from '../../../../infra/logger.ts'
import { createMetrics } from '../../../../infra/metrics.ts'
import { nodeLines, tripleInput, tripleLine } from '../../../../sql/graph/index.ts'
import { createGraph } from '../../../../sql/schema/ddl/graph/graph.ts'
import { createSchema } from '../../../../sql/schema/ddl/schema.ts'
import { decodeSchema } from '../../../../sql/schema/decode.ts'
import { graphQueue } from '../../../../sql/schema/names.ts'
import { rounds, runs } from '../../../support/random/seed.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { until } from '../../../support/until.ts'

const clickhouse = createEmbeddedClickHouse({ path: join(temporaryFolder(), 'clickhouse') })
test.before(() => migrate(clickhouse))
/** Some inserts here never end, and nothing else may keep the process. */
const alive = setInterval(() => {}, 1_000)
test.after.always(() => {
  clearInterval(alive)
  return clickhouse.close()
})

const plainFeed = createClickHouseFeed(clickhouse)
/** A busy machine may take some of it; what stands for ever takes it all. */
const patience_ms = 60_000
let schemas = 0

/** A schema of its own with stream `st`; the name of its queue. */
async function makeStream(): Promise<string> {
  const schema = `feeder${++schemas}`
  const attributes = [
    { name: 'a', type: 'LONG', stat: 'RSTAT' },
    { name: 's', type: 'STRING', stat: 'UCOUNT' },
  ]
  const decoded = decodeSchema({ schema, streams: [{ name: 'st', type: 1, swsz: 0, attr: attributes }] })
  for (const statement of createSchema(decoded)) await clickhouse.run(statement)
  return `${schema}.st`
}

/** A log and its feeder; `path` goes on with what an earlier one left. */
function open(t: ExecutionContext, feed: Feed, path = join(temporaryFolder(), 'log')) {
  const { log, source, clock } = createLmdbLog({ path, maxBytes: 2 ** 30 })
  const metrics = createMetrics()
  const feeder = createFeeder({ source, feed, clock, logger: silentLogger(), metrics })
  let closing: Promise<void> | undefined
  const close = (timeout_ms: number) => {
    closing ??= feeder.close(timeout_ms).then(() => log.close())
    return closing
  }
  t.teardown(() => close(100))
  return { log, source, metrics, feeder, path, close }
}

const line = (id: number): string => `{"_pk":${id},"_seq":${id},"a":${id},"s":"v${id}","_pivot_a":1}\n`
const linesOf = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, index) => line(from + index)).join('')

/** A stream's events in ClickHouse: counted from the events, and by an aggregate. */
async function held(queue: string) {
  const [schema] = queue.split('.')
  const one = async (text: string) => (await clickhouse.rows<Record<string, unknown>>({ text, params: {} }))[0] ?? {}
  const events = await one(`SELECT count() AS n, uniqExact(_pk) AS ids, sum(a) AS sum FROM ${queue}`)
  const kept = await one(`SELECT sum(a_cnt) AS n, sum(a_sum) AS sum FROM ${schema}.st_by_60s`)
  return {
    events: Number(events.n),
    ids: Number(events.ids),
    sum: Number(events.sum),
    counted: Number(kept.n),
    summed: Number(kept.sum),
  }
}

const allOf = (n: number) => ({ events: n, ids: n, sum: (n * (n + 1)) / 2, counted: n, summed: (n * (n + 1)) / 2 })

test.serial('an insert that fails after it has happened is repeated and changes nothing', async (t) => {
  const queue = await makeStream()
  let failures = 3
  const tokens: string[] = []
  const { log, feeder, metrics } = open(t, {
    ...plainFeed,
    async insert(...call) {
      tokens.push(call[2])
      await plainFeed.insert(...call)
      if (failures-- > 0) throw new ClickHouseError(210, 'the connection broke')
    },
  })
  await log.append(queue, Buffer.from(linesOf(1, 1000)), 1000)
  await feeder.caughtUp([queue], 60_000)
  t.deepEqual(await held(queue), allOf(1000))
  t.is(new Set(tokens).size, 1)
  t.is((await metrics.feederFailures.get()).values[0]?.value, 3)
})

test.serial('a batch begun before a crash is repeated with the same bounds, whatever has come since', async (t) => {
  const queue = await makeStream()
  const tokens: string[] = []
  const first = open(t, {
    ...plainFeed,
    async insert(...call) {
      tokens.push(call[2])
      await plainFeed.insert(...call)
      await new Promise(() => {})
    },
  })
  await first.log.append(queue, Buffer.from(linesOf(1, 100)), 100)
  await until('the first insert', async () => (await held(queue)).events === 100)
  await first.log.append(queue, Buffer.from(linesOf(101, 200)), 100)
  await first.log.close()

  const second = open(
    t,
    {
      ...plainFeed,
      insert(...call) {
        tokens.push(call[2])
        return plainFeed.insert(...call)
      },
    },
    first.path,
  )
  t.deepEqual(second.feeder.leftBehind(), [], 'its token is remembered: no start waits for it')
  await second.feeder.caughtUp([queue], 60_000)
  t.deepEqual(await held(queue), allOf(200))
  t.is(tokens[1], tokens[0])
  t.is(new Set(tokens).size, 2)
  t.deepEqual([second.source.bytes(), second.source.begun(queue)], [0, undefined])
})

test.serial(
  'lines that ClickHouse refuses stand in __rejected with the reason, the good ones around them are kept',
  async (t) => {
    const queue = await makeStream()
    const { log, feeder, metrics } = open(t, plainFeed)
    const bad = [
      'no json at all\n',
      '{"_pk":"soon","_seq":1}\n',
      '{"_pk":1,"_seq":1,"a":"three"}\n',
      '{"_pk":1,"_seq":1,"a":{"b":1}}\n',
      '{"_pk":1,"_seq":1,"s":"cut short\n',
      '[1,2]\n',
    ]
    const good = Array.from({ length: bad.length + 1 }, (_, index) => linesOf(index * 10 + 1, index * 10 + 10))
    const lines = good.flatMap((run, index) => [run, bad[index] ?? ''])
    await log.append(queue, Buffer.from(lines.join('')), 10 * good.length + bad.length)
    await feeder.caughtUp([queue], 60_000)

    const n = 10 * good.length
    t.deepEqual(await held(queue), allOf(n))
    const rejected = await clickhouse.rows<{ line: string; reason: string }>({
      text: `SELECT line, reason FROM ${queue}__rejected`,
      params: {},
    })
    t.deepEqual(rejected.map((row) => row.line).toSorted(), bad.map((text) => text.trimEnd()).toSorted())
    t.true(rejected.every(({ reason }) => reason.length > 10))
    t.is((await metrics.eventsRejected.get()).values[0]?.value, bad.length)
    t.deepEqual(feeder.failures(), [])

    await log.append(queue, Buffer.from(linesOf(n + 1, n + 5)), 5)
    await feeder.caughtUp([queue], 60_000)
    t.deepEqual(await held(queue), allOf(n + 5))
  },
)

test.serial('a batch with bad lines that a crash cut off is repeated without doubling its good ones', async (t) => {
  const queue = await makeStream()
  let inserts = 0
  const first = open(t, {
    ...plainFeed,
    async insert(...call) {
      await plainFeed.insert(...call)
      if (++inserts === 2) await new Promise(() => {})
    },
  })
  await first.log.append(
    queue,
    Buffer.from(`${linesOf(1, 40)}bad one\n${linesOf(41, 80)}bad two\n${linesOf(81, 90)}`),
    92,
  )
  await until('the second insert', () => inserts === 2)
  t.true((await held(queue)).events > 0)
  await first.log.close()
  const second = open(t, plainFeed, first.path)
  await second.feeder.caughtUp([queue], 60_000)
  t.deepEqual(await held(queue), allOf(90))
  const [rejected] = await clickhouse.rows<{ n: number }>({
    text: `SELECT count() AS n FROM ${queue}__rejected`,
    params: {},
  })
  t.is(Number(rejected?.n), 2)
})

test.serial('who waits for a queue sees all that was acknowledged, at every moment', async (t) => {
  const queue = await makeStream()
  const { log, feeder } = open(t, plainFeed)
  let acknowledged = 0
  for (let round = 1; round <= rounds(runs(40, 100), 15); round++) {
    await log.append(queue, Buffer.from(line(++acknowledged)), 1)
    const late = log.append(queue, Buffer.from(line(++acknowledged)), 1)
    await feeder.caughtUp([queue], 60_000)
    const { events } = await held(queue)
    if (events < acknowledged - 1) return t.fail(`round ${round}: ${events} of ${acknowledged - 1}`)
    await late
  }
  await feeder.caughtUp([queue], 60_000)
  t.deepEqual(await held(queue), allOf(acknowledged))
})

test.serial('while nothing can be inserted who waits is told so, and why', async (t) => {
  const queue = await makeStream()
  let down = true
  const { log, feeder, metrics } = open(t, {
    ...plainFeed,
    insert: (...call) =>
      down ? Promise.reject(new ClickHouseError(241, 'memory limit exceeded')) : plainFeed.insert(...call),
  })
  await log.append(queue, Buffer.from(linesOf(1, 10)), 10)
  await until('the first failure', () => feeder.failures().length > 0)
  const fault = await t.throwsAsync(feeder.caughtUp([queue], 250), { instanceOf: Fault })
  t.is(fault?.kind, 'late')
  t.regex(fault?.message ?? '', /250 ms: memory limit exceeded/)
  t.deepEqual(feeder.failures(), [{ queue, reason: 'memory limit exceeded' }])
  t.true(feeder.lag_ms() > 0 && feeder.lag_ms() < 60_000)

  down = false
  await feeder.caughtUp([queue], 60_000)
  t.deepEqual(await held(queue), allOf(10))
  t.deepEqual(feeder.failures(), [])
  t.is(feeder.lag_ms(), 0)
  t.true(((await metrics.feederFailures.get()).values[0]?.value ?? 0) >= 1)
})

test.serial('one queue that fails leaves the others alone', async (t) => {
  const [broken, ...sound] = [await makeStream(), await makeStream(), await makeStream()]
  const { log, feeder } = open(t, {
    ...plainFeed,
    insert: (...call) =>
      call[0] === broken ? Promise.reject(new ClickHouseError(241, 'no memory')) : plainFeed.insert(...call),
  })
  await log.append(broken ?? '', Buffer.from(linesOf(1, 10)), 10)
  for (const queue of sound) {
    for (let id = 1; id <= 20; id++) await log.append(queue, Buffer.from(line(id)), 1)
    await feeder.caughtUp([queue], 60_000)
    t.deepEqual(await held(queue), allOf(20))
  }
  t.deepEqual(
    feeder.failures().map(({ queue }) => queue),
    [broken],
  )
})

test.serial('queues that fail take no other queue its place, however many they are', async (t) => {
  const broken = [await makeStream(), await makeStream(), await makeStream()]
  const sound = await makeStream()
  const seen = new Set<string>()
  let end = () => {}
  const ended = new Promise<void>((resolve) => (end = resolve))
  const { log, feeder } = open(t, {
    ...plainFeed,
    async insert(...call) {
      if (!broken.includes(call[0])) return plainFeed.insert(...call)
      // Each fails once; what is tried again stands until the other queue has been fed.
      if (seen.has(call[0])) await ended
      seen.add(call[0])
      throw new ClickHouseError(60, 'no such table')
    },
  })
  for (const queue of broken) await log.append(queue, Buffer.from(linesOf(1, 10)), 10)
  await until('all have failed', () => feeder.failures().length === broken.length)
  for (let id = 1; id <= 20; id++) {
    await log.append(sound, Buffer.from(line(id)), 1)
    await feeder.caughtUp([sound], patience_ms)
  }
  t.deepEqual(await held(sound), allOf(20))
  t.deepEqual(
    feeder
      .failures()
      .map(({ queue }) => queue)
      .sort(),
    [...broken].sort(),
  )
  end()
})

test.serial('what a queue that fails keeps delays no producer of another', async (t) => {
  const [broken, sound] = [await makeStream(), await makeStream()]
  const { log, feeder } = open(t, {
    ...plainFeed,
    insert: (...call) =>
      call[0] === broken ? Promise.reject(new ClickHouseError(60, 'no such table')) : plainFeed.insert(...call),
  })
  const padding = 'x'.repeat(1_000)
  const large = Array.from({ length: 20_000 }, (_, id) => `{"_pk":${id},"_seq":${id},"s":"${padding}"}\n`).join('')
  await log.append(broken, Buffer.from(large), 20_000)
  await until('it has failed', () => feeder.failures().length === 1)
  t.is(feeder.pace(), undefined)
  await log.append(sound, Buffer.from(line(1)), 1)
  await feeder.caughtUp([sound], patience_ms)
})

test.serial('queues that fail fill their half of the log, and no more: others are taken', async (t) => {
  const [broken, sound] = [await makeStream(), await makeStream()]
  const { log, source } = createLmdbLog({ path: join(temporaryFolder(), 'log'), maxBytes: 1_000_000 })
  t.teardown(() => log.close())
  const hundred = Buffer.alloc(100_000, 'x')
  const first = await log.append(sound, hundred, 1)
  await log.append(broken, hundred, 1)
  source.fails(broken, true)
  await source.finish(sound, { first, last: first })
  const refused = await t.throwsAsync(
    async () => {
      for (;;) await log.append(broken, hundred, 1)
    },
    { instanceOf: Fault },
  )
  t.is(refused?.kind, 'limited')
  t.regex(refused?.message ?? '', new RegExp(broken))
  t.deepEqual([source.bytes(broken), source.wellBytes()], [500_000, 0])
  for (let i = 0; i < 4; i++) await log.append(sound, hundred, 1)

  source.fails(broken, false)
  await log.append(broken, hundred, 1)
  t.is(source.wellBytes(), source.bytes())
})

test.serial('a queue that fails has the whole log where ClickHouse takes no other queue either', async (t) => {
  const queue = await makeStream()
  const { log, source } = createLmdbLog({ path: join(temporaryFolder(), 'log'), maxBytes: 1_000_000 })
  t.teardown(() => log.close())
  const hundred = Buffer.alloc(100_000, 'x')
  const first = await log.append(queue, hundred, 1)
  await source.finish(queue, { first, last: first })
  source.fails(queue, true)
  for (let i = 0; i < 10; i++) await log.append(queue, hundred, 1)
  await t.throwsAsync(log.append(queue, hundred, 1), { instanceOf: Fault })
})

test.serial(
  'triples of clients whose token a power cut took count once, and those that it took come again',
  async (t) => {
    for (const statement of createGraph('web')) await clickhouse.run(statement)
    const queue = graphQueue('web')
    const [node, other] = ['a', 'b'].map((name) => ({ label: 'N', name }))
    if (!node || !other) throw new Error('two nodes')
    const written = (from: number, to: number): Buffer => {
      const seqs = Array.from({ length: to - from + 1 }, (_, i) => from + i)
      const properties = [['text', '"_seq":1,"_source":""}\n']] as const
      const triples = seqs.map((seq) => tripleLine({ subject: node, relation: 'R', object: other, properties }, seq))
      return Buffer.from([nodeLines({ ...node, properties: [] }, from), ...triples].join(''))
    }
    const cutOff = async (lines: Buffer, insert: Feed['insert'], path?: string): Promise<string> => {
      let isIn = false
      const stuck = async (...call: Parameters<Feed['insert']>): Promise<void> => {
        await insert(...call)
        isIn = true
        await new Promise(() => {})
      }
      const first = open(t, { ...plainFeed, insert: stuck }, path)
      await first.log.append(queue, lines, 4)
      await until('it was inserted', () => isIn)
      const begun = first.source.begun(queue)
      if (begun) await first.source.begin(queue, { ...begun, isDoubtful: true })
      await first.log.close()
      return first.path
    }
    const kept = await cutOff(written(10, 12), (of, lines, token) => plainFeed.insert(of, lines, `${token} lost`))
    const second = open(t, plainFeed, kept)
    await second.feeder.caughtUp([queue], 20_000)
    await second.close(1_000)
    const gone = await cutOff(written(20, 21), async () => {})
    const third = open(t, plainFeed, gone)
    await third.feeder.caughtUp([queue], 20_000)
    const text = `SELECT _seq FROM ${tripleInput('web')} ORDER BY _seq`
    const rows = await clickhouse.rows<{ _seq: string | number }>({ text, params: {} })
    t.deepEqual(
      rows.map(({ _seq }) => Number(_seq)),
      [10, 11, 12, 20, 21],
    )
  },
)

test.serial(
  'a batch for which ClickHouse has no memory is halved until it fits, and cut alike when repeated',
  async (t) => {
    const queue = await makeStream()
    const tokens: string[] = []
    let isKilled = false
    const feed: Feed = {
      ...plainFeed,
      async insert(...call) {
        if (isKilled) await new Promise(() => {})
        if (call[1].length > 20_000) throw new ClickHouseError(241, 'no memory')
        await plainFeed.insert(...call)
        tokens.push(call[2])
        if (tokens.length === 3) isKilled = true
      },
    }
    const first = open(t, feed)
    await first.log.append(queue, Buffer.from(linesOf(1, 1_000)), 1_000)
    await until('three pieces are in', () => isKilled)
    await first.log.close()

    const began = tokens.splice(0)
    isKilled = false
    const second = open(
      t,
      {
        ...plainFeed,
        insert: (...call) => {
          tokens.push(call[2])
          return plainFeed.insert(...call)
        },
      },
      first.path,
    )
    t.deepEqual(second.feeder.leftBehind(), [queue], 'a start waits for a batch that may be in doubt')
    await second.feeder.resume(() => 0)
    await second.feeder.caughtUp([queue], 20_000)
    t.is(tokens.length, 1)
    t.false(began.includes(tokens[0] ?? ''), 'what is there already is not sent again')
    t.deepEqual(await held(queue), allOf(1_000))
    // Some table may have taken the whole, or a half of it, before the cut.
    t.like(second.feeder.doubts()[0], { queue, since_us: 1 })
  },
)

test.serial(
  'a batch that ClickHouse took whole, and said that it had no memory for, is there once after its cut',
  async (t) => {
    const queue = await makeStream()
    let failures = 3
    const { log, feeder } = open(t, {
      ...plainFeed,
      async insert(...call) {
        await plainFeed.insert(...call)
        if (--failures >= 0) throw new ClickHouseError(241, 'no memory')
      },
    })
    await log.append(queue, Buffer.from(linesOf(1, 1_000)), 1_000)
    await feeder.caughtUp([queue], 20_000)
    t.deepEqual(await held(queue), allOf(1_000))
  },
)

test.serial(
  'events that came before a stream of that name went are not those of the stream that has it now',
  async (t) => {
    const queue = await makeStream()
    const first = open(t, { ...plainFeed, insert: () => Promise.reject(new ClickHouseError(210, 'away')) })
    await first.log.append(queue, Buffer.from(linesOf(1_001, 1_010)), 10)
    const gone_us = Date.now() * 1_000 + 1_000
    await until('it is later', () => Date.now() * 1_000 > gone_us)
    await first.log.append(queue, Buffer.from(linesOf(1, 10)), 10)
    await first.close(0)

    const second = open(t, plainFeed, first.path)
    await second.feeder.resume(() => gone_us)
    await second.feeder.caughtUp([queue], 20_000)
    t.deepEqual(await held(queue), allOf(10))
  },
)

test.serial('a queue for which a query waits is fed before a hundred that came first', async (t) => {
  const asked = await makeStream()
  let inserts = 0
  const { log, feeder } = open(t, {
    ...plainFeed,
    async insert(...call) {
      if (call[0] === asked) return plainFeed.insert(...call)
      inserts++
      await new Promise((resolve) => setTimeout(resolve, 20))
    },
  })
  await Promise.all(Array.from({ length: 100 }, (_, n) => log.append(`many.s${n}`, Buffer.from(line(1)), 1)))
  await until('inserts are under way', () => inserts > 0)
  await log.append(asked, Buffer.from(line(1)), 1)
  await feeder.caughtUp([asked], patience_ms)
  t.true(inserts < 20, `${inserts} others were fed before it`)
  await until('the others are fed as well', () => inserts === 100)
})

test.serial('a batch is in doubt that failed while its token may have been forgotten, and no other', async (t) => {
  const [broken, sound] = [await makeStream(), await makeStream()]
  let failures = 1
  let isHeld = true
  const { log, feeder } = open(t, {
    ...plainFeed,
    async insert(...call) {
      await plainFeed.insert(...call)
      if (call[0] !== broken) return
      if (failures-- > 0 || isHeld) throw new ClickHouseError(210, 'the connection broke')
    },
  })
  let found = 0
  t.deepEqual(
    feeder.doubts(() => found++),
    [],
  )
  await log.append(broken, Buffer.from(linesOf(7, 9)), 3)
  for (let id = 1; id <= 30; id++) {
    await log.append(sound, Buffer.from(line(id)), 1)
    await feeder.caughtUp([sound], 5_000)
  }
  isHeld = false
  await feeder.caughtUp([broken], 20_000)
  // A caller that waits for the batch must know of the doubt: a start compares the tables before it takes requests.
  const [doubt, ...others] = feeder.doubts()
  t.deepEqual([doubt?.queue, doubt?.since_us, others], [broken, 7, []])
  await until('the doubt is announced', () => found === 1)
  if (doubt) await feeder.settle(doubt)
  t.deepEqual(feeder.doubts(), [])

  failures = 2
  await log.append(broken, Buffer.from(linesOf(10, 12)), 3)
  await feeder.caughtUp([broken], 20_000)
  t.deepEqual(feeder.doubts(), [])
})

test.serial('closing feeds what the log still holds', async (t) => {
  const queue = await makeStream()
  const { log, close, source } = open(t, plainFeed)
  for (let id = 1; id <= 50; id++) await log.append(queue, Buffer.from(line(id)), 1)
  await close(60_000)
  t.is(source.bytes(), 0)
  t.deepEqual(await held(queue), allOf(50))
})

test.serial('a queue that is forgotten loses what it held and frees who waits for it', async (t) => {
  const queue = await makeStream()
  const { log, feeder, source } = open(t, {
    ...plainFeed,
    insert: () => Promise.reject(new ClickHouseError(241, 'no memory')),
  })
  await log.append(queue, Buffer.from(linesOf(1, 10)), 10)
  const waiting = feeder.caughtUp([queue], 20_000)
  await feeder.forget(queue)
  await t.notThrowsAsync(waiting)
  t.deepEqual([source.bytes(), [...source.queues()], feeder.failures()], [0, [], []])
})

test.serial('a body of a million lines, in one chunk, goes in exactly once when it is repeated', async (t) => {
  const queue = await makeStream()
  let failures = 1
  const { log, feeder } = open(t, {
    ...plainFeed,
    async insert(...call) {
      await plainFeed.insert(...call)
      if (failures-- > 0) throw new ClickHouseError(210, 'the connection broke')
    },
  })
  const n = 1_200_000
  const parts = Array.from({ length: n }, (_, index) => `{"_pk":${index + 1},"_seq":1,"a":${index + 1}}\n`)
  await log.append(queue, Buffer.from(parts.join('')), n)
  await feeder.caughtUp([queue], 60_000)
  t.deepEqual(await held(queue), allOf(n))
})
