import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import test from 'ava'
import { Fault } from '../../../../base/faults.ts'
import { createLmdbLog, type LmdbLog } from '../../../../infra/log/embedded/log.ts'
import type { Chunk } from '../../../../infra/log/port.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const megabyte = 1024 * 1024
const openLog = (path = join(temporaryFolder(), 'log'), maxBytes = megabyte): LmdbLog =>
  createLmdbLog({ path, maxBytes })

const linesOf = (chunks: Iterable<Chunk>): string[] => [...chunks].map(({ lines }) => lines.toString('utf8'))

test('where no more keys can be remembered events with one are refused, by the name of the setting, and others are taken', async (t) => {
  const { log } = createLmdbLog({ path: join(temporaryFolder(), 'log'), maxBytes: 2 ** 20, maxKeys: 2 })
  t.teardown(() => log.close())
  const keyed = (key: string) => [{ key, answer: 'a', seq: 1 }]
  const one = Buffer.from('{}\n')
  for (const key of ['one', 'two']) await log.append('s.a', one, 1, keyed(key))
  const refused = await t.throwsAsync(log.append('s.a', one, 1, keyed('three')), { instanceOf: Fault })
  t.deepEqual([refused?.kind, refused?.details.limit], ['limited', 'MAX_KEYS'])
  t.is(log.answered('s.a', 'three'), undefined)
  await log.append('s.a', one, 1)
})

test.serial('a key is remembered while the clock of the computer is a day ahead', async (t) => {
  const [began_ms, from_ms] = [Date.now(), performance.now()]
  const now_us = () => (began_ms + performance.now() - from_ms) * 1000
  const { log } = createLmdbLog({ path: join(temporaryFolder(), 'log'), maxBytes: 2 ** 20, now_us })
  t.teardown(() => log.close())
  await log.append('s.a', Buffer.from('{}\n'), 1, [{ key: 'one', answer: 'a', seq: 1 }])
  const { now } = Date
  Date.now = () => now() + 25 * 3_600_000
  try {
    t.is(log.answered('s.a', 'one'), 'a')
  } finally {
    Date.now = now
  }
})

test('appends that come together share one commit, in their order', async (t) => {
  const { log, source } = openLog()
  const first = log.append('s.a', Buffer.from('1\n'), 1)
  const together = Array.from({ length: 50 }, (_, i) => log.append('s.a', Buffer.from(`${i + 2}\n`), 1))
  const positions = await Promise.all([first, ...together])
  t.true(new Set(positions).size <= 2)
  const chunks = [...source.chunks('s.a')]
  t.true(chunks.length <= 2)
  t.is(
    chunks.reduce((rows, chunk) => rows + chunk.rows, 0),
    51,
  )
  t.is(linesOf(chunks).join(''), Array.from({ length: 51 }, (_, i) => `${i + 1}\n`).join(''))
  await log.close()
})

test('queues share a commit and keep their lines apart', async (t) => {
  const { log, source } = openLog()
  const before = log.append('s.first', Buffer.from('first\n'), 1)
  const [first, ...positions] = await Promise.all([
    before,
    log.append('s.a', Buffer.from('a\n'), 1),
    log.append('s.ab', Buffer.from('ab\n'), 1),
    log.append('s.b', Buffer.from('b\n'), 1),
  ])
  t.is(new Set(positions).size, 1)
  t.true((positions[0] ?? 0) >= first)
  t.deepEqual(linesOf(source.chunks('s.a')), ['a\n'])
  t.deepEqual(linesOf(source.chunks('s.ab')), ['ab\n'])
  t.deepEqual([...source.queues()].toSorted(), ['s.a', 's.ab', 's.b', 's.first'])
  await log.close()
})

test('positions grow, and the end of a queue is its last acknowledged one', async (t) => {
  const { log, source } = openLog()
  t.is(source.end('s.a'), 0)
  const positions: number[] = []
  for (let i = 0; i < 5; i++) positions.push(await log.append('s.a', Buffer.from(`${i}\n`), 1))
  t.deepEqual(
    positions,
    positions.toSorted((a, b) => a - b),
  )
  t.is(new Set(positions).size, 5)
  t.is(source.end('s.a'), positions.at(-1) ?? 0)
  t.deepEqual(
    [...source.chunks('s.a')].map(({ position }) => position),
    positions,
  )
  t.deepEqual(
    [...source.chunks('s.a', positions[2])].map(({ position }) => position),
    positions.slice(0, 3),
  )
  await log.close()
})

test('lines, rows, positions and a batch that was begun survive reopening', async (t) => {
  const path = join(temporaryFolder(), 'log')
  const one = openLog(path)
  const first = await one.log.append('s.a', Buffer.from('ünïcödé 🎈\n'), 1)
  const last = await one.log.append('s.a', Buffer.from('two\nthree\n'), 2)
  await one.source.begin('s.a', { first, last })
  const bytes = one.source.bytes()
  await one.log.close()

  const two = openLog(path)
  t.deepEqual([...two.source.queues()], ['s.a'])
  t.is(two.source.end('s.a'), last)
  t.is(two.source.bytes(), bytes)
  t.deepEqual(two.source.begun('s.a'), { first, last })
  t.deepEqual(
    [...two.source.chunks('s.a')].map(({ position, rows, lines }) => [position, rows, lines.toString()]),
    [
      [first, 1, 'ünïcödé 🎈\n'],
      [last, 2, 'two\nthree\n'],
    ],
  )
  t.deepEqual([two.source.bytes('s.a'), two.source.bytes('s.b')], [bytes, 0])
  await two.source.finish('s.a', { first, last })
  await two.log.close()

  const three = openLog(path)
  t.deepEqual([[...three.source.queues()], three.source.begun('s.a'), three.source.bytes()], [[], undefined, 0])
  await three.log.close()
})

test('a finished batch goes, what came after it stays', async (t) => {
  const { log, source } = openLog()
  const first = await log.append('s.a', Buffer.from('one\n'), 1)
  const last = await log.append('s.a', Buffer.from('two\n'), 1)
  const after = await log.append('s.a', Buffer.from('three\n'), 1)
  await source.begin('s.a', { first, last })
  await source.finish('s.a', { first, last })
  t.deepEqual(
    [...source.chunks('s.a')].map(({ position }) => position),
    [after],
  )
  t.is(source.begun('s.a'), undefined)
  t.is(source.bytes(), 'three\n'.length)
  await source.drop('s.a')
  t.deepEqual([[...source.queues()], linesOf(source.chunks('s.a')), source.bytes(), source.end('s.a')], [[], [], 0, 0])
  await log.close()
})

test('what is appended while a batch is taken out counts in the size', async (t) => {
  const { log, source } = openLog()
  let last = await log.append('s.a', Buffer.from('a\n'), 1)
  for (let i = 0; i < 50; i++) {
    const appended = log.append('s.a', Buffer.from('b\n'), 1)
    await setImmediate()
    await source.finish('s.a', { first: last, last })
    last = await appended
  }
  t.is(source.bytes(), 'b\n'.length)
  await log.close()
})

test('listeners hear of each commit once its lines can be read', async (t) => {
  const { log, source } = openLog()
  const heard: string[] = []
  source.onAppend((queue) => heard.push(`${queue} ${linesOf(source.chunks(queue)).join('')}`))
  await log.append('s.a', Buffer.from('one\n'), 1)
  await log.append('s.b', Buffer.from('two\n'), 1)
  t.deepEqual(heard, ['s.a one\n', 's.b two\n'])
  await log.close()
})

test('beyond its size the log refuses lines, keeps nothing of them, and takes more once it is emptied', async (t) => {
  const { log, source } = openLog(undefined, 100)
  const first = await log.append('s.a', Buffer.from(`${'x'.repeat(79)}\n`), 1)
  const fault = await t.throwsAsync(log.append('s.a', Buffer.from(`${'y'.repeat(39)}\n`), 1), { instanceOf: Fault })
  t.is(fault?.kind, 'limited')
  t.is(typeof fault?.details.retryAfter, 'number')
  t.is(source.bytes(), 80)
  t.deepEqual(linesOf(source.chunks('s.a')), [`${'x'.repeat(79)}\n`])
  await source.finish('s.a', { first, last: first })
  await t.notThrowsAsync(log.append('s.a', Buffer.from(`${'y'.repeat(39)}\n`), 1))
  await log.close()
})

test('the size counts what is not committed yet', async (t) => {
  const { log, source } = openLog(undefined, 100)
  const appends = Array.from({ length: 10 }, () => log.append('s.a', Buffer.from(`${'x'.repeat(20)}\n`), 1))
  const settled = await Promise.allSettled(appends)
  t.true(source.bytes() <= 100, `${source.bytes()} bytes`)
  t.is(settled.filter(({ status }) => status === 'fulfilled').length, 4)
  await log.close()
})

const keyedLines = (name: string, count: number) => {
  const answers = Array.from({ length: count }, (_, seq) => ({ key: `${name}${seq}`, answer: '{}', seq }))
  return { lines: Buffer.from(answers.map(({ key }) => `{"_id":"${key}"}\n`).join('')), answers }
}

test('events and their idempotency keys are kept together, however many come at once', async (t) => {
  const { log, source } = openLog(undefined, 100 * megabyte)
  const bodies = [keyedLines('alone', 70_000), ...Array.from({ length: 10 }, (_, i) => keyedLines(`part${i}-`, 7_000))]
  await Promise.all(bodies.map(({ lines, answers }) => log.append('s.a', lines, answers.length, answers)))
  t.is(
    [...source.chunks('s.a')].reduce((rows, chunk) => rows + chunk.rows, 0),
    140_000,
  )
  for (const { answers } of bodies) t.true(answers.every(({ key, answer }) => log.answered('s.a', key) === answer))
  await log.close()
})

test('of a commit that cannot be written as a whole nothing is kept: no event, no key, of no queue', async (t) => {
  const { log, source } = openLog()
  const first = await log.append('s.a', Buffer.from('kept\n'), 1)
  const under = log.append('s.a', Buffer.from('kept too\n'), 1)
  const answers = ['good', 'k'.repeat(5_000), 'behind'].map((key, seq) => ({ key, answer: '{}', seq }))
  const refused = [
    log.append('s.before', Buffer.from('before\n'), 1, [{ key: 'before', answer: '{}', seq: 1 }]),
    log.append('s.a', Buffer.from('1\n2\n3\n'), 3, answers),
    log.append('s.behind', Buffer.from('behind\n'), 1, [{ key: 'behind', answer: '{}', seq: 1 }]),
  ]
  const last = await under
  for (const each of refused) t.is((await t.throwsAsync(each, { instanceOf: Fault }))?.kind, 'limited')
  await log.append('s.behind', Buffer.from('again\n'), 1)
  const kept = ['s.a', 's.before', 's.behind'].map((queue) => linesOf(source.chunks(queue)))
  t.deepEqual(kept, [['kept\n', 'kept too\n'], [], ['again\n']])
  t.deepEqual([...source.queues()], ['s.a', 's.behind'])
  const keys = ['s.a good', 's.a behind', 's.before before', 's.behind behind'].map((each) => each.split(' '))
  t.deepEqual(
    keys.filter(([queue = '', key = '']) => log.answered(queue, key) !== undefined),
    [],
  )
  await source.finish('s.a', { first, last })
  t.is(source.bytes(), 'again\n'.length)
  await log.close()
})

test('lines that gather make chunks of bounded size', async (t) => {
  const { log, source } = openLog(undefined, 100 * megabyte)
  await Promise.all([
    ...Array.from({ length: 12 }, () => log.append('s.long', Buffer.alloc(3 * megabyte, 'x'), 1)),
    ...Array.from({ length: 12 }, () => log.append('s.many', Buffer.from('1\n'.repeat(30_000)), 30_000)),
  ])
  for (const { lines, rows } of [...source.chunks('s.long'), ...source.chunks('s.many')]) {
    t.true(lines.length <= 8 * megabyte && rows <= 100_000, `${rows} rows of ${lines.length} bytes`)
  }
  t.is(source.bytes(), 12 * (3 * megabyte + 60_000))
  await log.close()
})

test('the clock never goes back, not across restarts either', async (t) => {
  const path = join(temporaryFolder(), 'log')
  let last = 0
  for (let run = 0; run < 3; run++) {
    const { log, clock } = openLog(path)
    for (let i = 0; i < 5_000; i++) {
      const next = clock.next()
      if (next <= last) return t.fail(`${next} after ${last}`)
      last = next
    }
    const position = await log.append('s.a', Buffer.from('x\n'), 1)
    t.true(position > last)
    last = position
    await log.close()
  }
})
