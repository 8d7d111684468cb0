import { statSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { Fault } from '../../../base/faults.ts'
import { giveSpaceBack } from '../../../infra/log/embedded/give-space-back.ts'
import { createLmdbLog, type LmdbLog, type LmdbLogOptions } from '../../../infra/log/embedded/log.ts'
import type { Chunk, TurnCommit } from '../../../infra/log/port.ts'
import { silentLogger } from '../../../infra/logger.ts'
import type { StateChange } from '../../../infra/memory/state.ts'
import type { RuleStoreWatcher } from '../../../infra/memory/store.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { turnOf } from '../../support/turn.ts'
import { until } from '../../support/until.ts'

const openLog = (options: Partial<LmdbLogOptions> = {}): LmdbLog =>
  createLmdbLog({ path: join(temporaryFolder(), 'log'), maxBytes: 2 ** 30, ...options })

const linesOf = (chunks: Iterable<Chunk>): string => [...chunks].map(({ lines }) => lines.toString('utf8')).join('')
const item = (key: string, seq: number, value: unknown, pk = seq): StateChange => ({
  ...{ space: 's.st/run:1', key, isItem: true, seq, pk, value },
})
const value = (key: string, seq: number, value: unknown, pk?: number): StateChange => ({
  ...{ space: 's.st/last:2', key, isItem: false, seq, value },
  ...(pk !== undefined && { pk }),
})
const gone = ({ value: _, ...change }: StateChange): StateChange => ({ ...change, value: undefined })

let made = 0
const append = (turns: LmdbLog['turns'], changes: readonly StateChange[], more: Partial<TurnCommit> = {}) =>
  turns.commit(turnOf('s.st', Buffer.from(`${made++}\n`), 1, { changes, ...more }))
/** A key that is too long: no commit takes its answer. */
const unwritable = [{ key: 'k'.repeat(5_000), answer: '{}', seq: 1 }]

const watching = (rules: LmdbLog['rules'], isForgotten: RuleStoreWatcher['isForgotten'] = () => false): string[] => {
  const seen: string[] = []
  rules.watch({
    isForgotten,
    gone: (_, key, seq, why) => seen.push(`${key}${seq === undefined ? '' : ` ${seq}`} ${why}`),
  })
  return seen
}

test('lines of several queues and the state that they follow from are there together after a restart, in their order', async (t) => {
  const path = join(temporaryFolder(), 'log')
  const { log, turns } = openLog({ path })
  const line = (queue: string, text: string) => ({ queue, lines: Buffer.from(`${text}\n`), rows: 1 })
  await Promise.all([
    turns.commit(
      turnOf('s.st', Buffer.from('first\n'), 1, {
        lines: [line('s.made', 'one'), line('s.other', 'two'), line('s.made', 'three')],
        changes: [item('a', 1, ['x', 2.5]), value('a', 1, { n: 7n, big: 2n ** 70n })],
        dropped: [{ space: 's.st/run:1', count: 3 }],
      }),
    ),
    log.append('s.made', Buffer.from('four\n'), 1),
    turns.commit(
      turnOf('s.st', Buffer.from('second\n'), 1, {
        lines: [line('s.made', 'five')],
        changes: [item('a', 1, 'changed'), item('a', 2, null), item('b', 3, true)],
      }),
    ),
  ])
  await log.close()
  const { log: again, source, rules } = openLog({ path })
  t.deepEqual(
    ['s.st', 's.made', 's.other'].map((queue) => linesOf(source.chunks(queue))),
    ['first\nsecond\n', 'one\nthree\nfour\nfive\n', 'two\n'],
  )
  t.deepEqual(rules.items('s.st/run:1', 'a'), [
    { seq: 1, pk: 1, value: 'changed' },
    { seq: 2, pk: 2, value: null },
  ])
  t.deepEqual(rules.items('s.st/run:1', 'b'), [{ seq: 3, pk: 3, value: true }])
  t.deepEqual(rules.value('s.st/last:2', 'a'), { n: 7n, big: 2n ** 70n })
  t.deepEqual(
    rules.spaces('s.').map(({ space, dropped }) => [space, dropped]),
    [
      ['s.st/run:1', 3],
      ['s.st/last:2', 0],
    ],
  )
  await again.close()
})

test('listeners hear of each queue that an append brings lines to', async (t) => {
  const { log, turns, source } = openLog()
  const heard: string[] = []
  source.onAppend((queue, rows) => heard.push(`${queue} ${rows}`))
  await turns.commit(
    turnOf('s.st', Buffer.from('1\n'), 1, {
      lines: [{ queue: 's.made', lines: Buffer.from('1\n2\n'), rows: 2 }],
      changes: [],
    }),
  )
  t.deepEqual(
    [heard, [...source.queues()]],
    [
      ['s.st 1', 's.made 2'],
      ['s.st', 's.made'],
    ],
  )
  await log.close()
})

test('keys of any length and any text are apart', async (t) => {
  const { log, turns, rules } = openLog()
  const long = 'l'.repeat(4_000)
  const keys = ['', 'a', 'a\u0000', long, `${long}x`, '\ud800', '\ud801', '\ufffd', 'ü'.repeat(64), 'ü'.repeat(65)]
  await append(turns, [
    ...keys.map((key, at) => item(key, at + 1, at)),
    ...keys.map((key, at) => value(key, at + 1, `v${at}`)),
  ])
  const found = keys.map((key) => [
    ...rules.items('s.st/run:1', key).map((each) => each.value),
    rules.value('s.st/last:2', key),
  ])
  t.deepEqual(
    found,
    keys.map((_, at) => [at, `v${at}`]),
  )
  await log.close()
})

test('a commit that fails keeps no change, and takes along what was made on its state, but nothing else', async (t) => {
  const { log, turns, source, rules } = openLog()
  await append(turns, [item('a', 1, 'kept'), value('a', 1, 'kept')])
  const bytes = rules.bytes()
  const settled: string[] = []
  const tell = (name: string) => ({
    settled: (isCommitted: boolean) => settled.push(`${name} ${isCommitted ? 'kept' : 'lost'}`),
  })
  const under = append(turns, [item('b', 2, 'kept')], tell('under way'))
  const failing = turns.commit(
    turnOf('s.st', Buffer.from('lost\n'), 1, {
      answers: unwritable,
      changes: [gone(item('a', 1, '')), value('a', 3, 'lost'), item('c', 3, 'lost')],
      ...tell('failing'),
    }),
  )
  // A list that no commit takes with others.
  const many = Array.from({ length: 4_001 }, (_, at) => item('many', 10 + at, at))
  const after = append(turns, many, tell('after'))
  const later = append(turns, [item('d', 5_000, 'lost')], tell('later'))
  const plain = Array.from({ length: 3 }, () => log.append('s.plain', Buffer.from('1\n'.repeat(60_000)), 60_000))
  const outcomes = await Promise.allSettled([under, failing, after, later])
  t.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'rejected', 'rejected'],
  )
  for (const each of outcomes) {
    if (each.status === 'rejected')
      t.true(each.reason instanceof Fault && each.reason.kind === 'limited' && each.reason.details.retryAfter === 5)
  }
  t.deepEqual(settled, ['under way kept', 'failing lost', 'after lost', 'later lost'])
  // Of the plain appends the one in the commit of those that are lost goes, the others stay.
  const kept = (await Promise.allSettled(plain)).filter(({ status }) => status === 'fulfilled').length
  t.true(kept >= 1)
  t.is(source.bytes('s.plain'), kept * 120_000)
  t.deepEqual(
    ['a', 'b', 'c', 'd', 'many'].map((key) => rules.items('s.st/run:1', key).length),
    [1, 1, 0, 0, 0],
  )
  t.is(rules.value('s.st/last:2', 'a'), 'kept')
  await append(turns, [gone(item('b', 2, ''))])
  t.is(rules.bytes(), bytes)
  await log.close()
})

test('an append that has no room is lost at once, with its state and the lines of all its queues', async (t) => {
  const { log, turns, rules, source } = openLog({ maxBytes: 100 })
  const outcomes: boolean[] = []
  t.notThrows(() => log.room('s.st', 60))
  t.throws(() => log.room('s.st', 101), { instanceOf: Fault, message: /the log is full/ })
  const refused = turns.commit(
    turnOf('s.st', Buffer.from('1\n'), 1, {
      lines: [{ queue: 's.made', lines: Buffer.from(`${'x'.repeat(100)}\n`), rows: 1 }],
      changes: [item('a', 1, 1)],
      settled: (isCommitted) => outcomes.push(isCommitted),
    }),
  )
  t.deepEqual(outcomes, [false])
  await t.throwsAsync(refused, { instanceOf: Fault, message: /the log is full/ })
  t.deepEqual([rules.items('s.st/run:1', 'a'), [...source.queues()], rules.bytes()], [[], [], 0])
  await log.close()
})

test('an append of more changes than a commit takes with others is kept whole', async (t) => {
  const { log, turns, rules } = openLog()
  const many = (from: number) => Array.from({ length: 9_000 }, (_, at) => item(`k${at % 10}`, from + at, at))
  await Promise.all([append(turns, [item('first', 1, 1)]), append(turns, many(10)), append(turns, many(20_000))])
  t.is(
    Array.from({ length: 10 }, (_, at) => rules.items('s.st/run:1', `k${at}`).length).reduce((a, b) => a + b),
    18_000,
  )
  await log.close()
})

test('bytes are counted with each change, and a restart knows them', async (t) => {
  const path = join(temporaryFolder(), 'log')
  const one = openLog({ path })
  await append(one.turns, [item('a', 1, 'x'), item('a', 2, 'x'.repeat(1_000)), value('b', 3, 'x')])
  const small = one.rules.bytes()
  await append(one.turns, [value('b', 4, 'x'.repeat(500)), gone(item('a', 2, '')), item('c', 5, [1, 2])])
  const bytes = one.rules.bytes()
  t.true(small > 1_000 && bytes > 500 && bytes < 900, `${small}, ${bytes}`)
  await one.log.close()
  const two = openLog({ path })
  t.is(two.rules.bytes(), bytes)
  await append(two.turns, [
    gone(item('a', 1, '')),
    gone(value('b', 4, '')),
    gone(item('c', 5, '')),
    gone(item('c', 6, '')),
  ])
  t.is(two.rules.bytes(), 0)
  await two.log.close()
})

test('past the bound the oldest of all spaces go, are counted for theirs, and the watcher hears of them', async (t) => {
  const { log, turns, rules } = openLog({ maxRuleBytes: 20_000 })
  const seen = watching(rules)
  const text = 'x'.repeat(1_000)
  for (let seq = 1; seq <= 10; seq++) await append(turns, [item('k', seq, text)])
  await append(turns, [value('v', 11, text), item('k', 11, text)])
  t.deepEqual(seen, [])
  // The value is set again and again: it is never the oldest.
  for (let seq = 12; seq <= 40; seq++) {
    await append(turns, [value('v', seq, text)])
    await append(turns, [item('k', seq, text)])
  }
  t.true(rules.bytes() <= 20_000, `${rules.bytes()} bytes`)
  const left = rules.items('s.st/run:1', 'k').map(({ seq }) => seq)
  t.deepEqual(
    seen,
    Array.from({ length: 40 - left.length }, (_, at) => `k ${at + 1} bound`),
  )
  t.is(rules.value('s.st/last:2', 'v'), text)
  t.deepEqual(
    rules.spaces('').map(({ space, dropped }) => [space, dropped]),
    [
      ['s.st/run:1', seen.length],
      ['s.st/last:2', 0],
    ],
  )
  for (let seq = 41; seq <= 70; seq++) await append(turns, [item('k', seq, text)])
  t.is(rules.value('s.st/last:2', 'v'), undefined)
  t.true(seen.includes('v bound'))
  await log.close()
})

test('a bound that a restart sets lower takes what is too much', async (t) => {
  const path = join(temporaryFolder(), 'log')
  const one = openLog({ path })
  await append(
    one.turns,
    Array.from({ length: 6_000 }, (_, at) => item(`k${at}`, at + 1, 'x'.repeat(50))),
  )
  await one.log.close()
  const two = openLog({ path, maxRuleBytes: 10_000, maintainRulesEvery_ms: 20 })
  const keys = Array.from({ length: 6_000 }, (_, at) => `k${at}`)
  const left = () => keys.filter((key) => two.rules.items('s.st/run:1', key).length > 0)
  await until('the state is small', () => two.rules.bytes() <= 10_000)
  await append(two.turns, [])
  const [{ dropped } = { dropped: 0 }] = two.rules.spaces('')
  t.deepEqual(left(), keys.slice(dropped))
  t.true(left().length > 50)
  await two.log.close()
})

test('events that a rule has no use for any more go, of keys that never come again too', async (t) => {
  const { log, turns, rules } = openLog({ maintainRulesEvery_ms: 20 })
  let horizon = 0
  const seen = watching(rules, (space, _seq, pk) => space.startsWith('s.st/') && pk < horizon)
  const other = { space: 'other.st/run:1', key: 'a', isItem: true, seq: 1, pk: 1, value: 'stays' }
  await append(turns, [
    other,
    ...Array.from({ length: 5_000 }, (_, at) => item(`k${at}`, at + 1, at)),
    value('old', 6_000, 'of an event', 10),
    value('timeless', 6_001, 'of none'),
    value('young', 6_002, 'of an event', 9_000),
  ])
  horizon = 4_000
  await until('the old ones are gone', () => seen.length >= 4_000)
  t.is(seen.length, 4_000)
  t.true(seen.every((each) => each.endsWith(' time')))
  t.deepEqual(
    ['k3998', 'k3999'].map((key) => rules.items('s.st/run:1', key).length),
    [0, 1],
  )
  t.deepEqual(
    ['old', 'timeless', 'young'].map((key) => rules.value('s.st/last:2', key) !== undefined),
    [false, true, true],
  )
  t.is(rules.items('other.st/run:1', 'a').length, 1)
  t.deepEqual(
    rules.spaces('s.').map(({ dropped }) => dropped),
    [0, 0],
  )
  await log.close()
})

test('events that are of no use any more do not pile up while ever new ones come, behind many that are needed', async (t) => {
  const { log, turns, rules, recordsOfRules } = openLog()
  let horizon = 0
  watching(rules, (space, _seq, pk) => space === 's.st/last:2' && pk < horizon)
  const [needed, rounds, batch] = [60_000, 20, 2_500]
  await append(
    turns,
    Array.from({ length: needed }, (_, at) => item(`k${at}`, at + 1, at)),
  )
  for (let round = 0; round < rounds; round++) {
    const first = needed + 1 + round * batch
    horizon = first
    await append(
      turns,
      Array.from({ length: batch }, (_, at) => value(`v${first + at}`, first + at, at, first + at)),
    )
  }
  // A look at 2,000 records a second would take a minute.
  await until('the old ones are gone', () => recordsOfRules() === needed + batch, 20_000)
  t.is(rules.value('s.st/last:2', `v${needed + rounds * batch}`), batch - 1)
  t.deepEqual(
    rules.spaces('s.').map(({ dropped }) => dropped),
    [0, 0],
  )
  await log.close()
})

test('an event that is of no use any more is not counted as forgotten before its time where it goes past the bound', async (t) => {
  const { log, turns, rules } = openLog({ maxRuleBytes: 20_000, maintainRulesEvery_ms: 60_000 })
  const seen = watching(rules, (_space, _seq, pk) => pk <= 10)
  for (let seq = 1; seq <= 40; seq++) await append(turns, [item('k', seq, 'x'.repeat(1_000))])
  t.deepEqual(
    seen.map((each) => each.split(' ').at(-1)),
    Array.from({ length: seen.length }, (_, at) => (at < 10 ? 'time' : 'bound')),
  )
  t.true(seen.length > 15)
  t.deepEqual(
    rules.spaces('').map(({ dropped }) => dropped),
    [seen.length - 10],
  )
  await log.close()
})

test('a space that is dropped is empty at once, and what comes into it afterwards stays', async (t) => {
  const path = join(temporaryFolder(), 'log')
  const one = openLog({ path })
  await append(one.turns, [
    ...Array.from({ length: 3_000 }, (_, at) => item(`k${at}`, at + 1, at)),
    value('v', 4_000, 'stays'),
  ])
  const before = append(one.turns, [item('k1', 5_000, 'before')])
  const dropped = one.rules.drop('s.st/run:')
  const after = append(one.turns, [item('k2', 5_001, 'after')])
  t.deepEqual(one.rules.items('s.st/run:1', 'k1'), [])
  await Promise.all([before, dropped, after])
  await one.log.close()
  const two = openLog({ path, maintainRulesEvery_ms: 20 })
  t.deepEqual(two.rules.items('s.st/run:1', 'k1'), [])
  t.deepEqual(two.rules.items('s.st/run:1', 'k2'), [{ seq: 5_001, pk: 5_001, value: 'after' }])
  t.is(two.rules.value('s.st/last:2', 'v'), 'stays')
  t.deepEqual(
    two.rules.spaces('').map(({ space }) => space),
    ['s.st/last:2', 's.st/run:1'],
  )
  await until('its records are off the disk', () => two.recordsOfRules() === 2)
  await two.log.close()
})

test('an event that is erased is remembered nowhere, also where a change of it was under way', async (t) => {
  const { log, turns, rules } = openLog()
  const seen = watching(rules)
  await append(turns, [
    ...Array.from({ length: 5_000 }, (_, at) => item(`k${at % 7}`, at + 1, at, 100)),
    value('v', 20, 'of the event', 100),
    value('w', 20, 'of none'),
    { space: 's.other/run:1', key: 'a', isItem: true, seq: 20, pk: 100, value: 'of another stream' },
  ])
  const forgotten = rules.forget('s.st/', (seq, pk) => seq === 20 && pk === 100)
  const late = append(turns, [item('k5', 20, 'changed', 100)])
  await late
  t.true((await forgotten) >= 2)
  t.deepEqual([...new Set(seen)].toSorted(), ['k5 20 erased', 'v erased'])
  t.false(rules.items('s.st/run:1', 'k5').some(({ seq }) => seq === 20))
  t.deepEqual(
    ['v', 'w'].map((key) => rules.value('s.st/last:2', key)),
    [undefined, 'of none'],
  )
  t.is(rules.items('s.other/run:1', 'a').length, 1)
  await log.close()
})

test('a copy that is taken while events come has the state of its lines', async (t) => {
  const { log, turns, copy } = openLog()
  const folder = temporaryFolder()
  let sum = 0
  const add = () => {
    sum++
    return append(turns, [value('sum', sum, sum)])
  }
  await add()
  const copied = copy(folder)
  let isCopied = false
  void copied.finally(() => {
    isCopied = true
  })
  while (!isCopied) await add()
  await copied
  await log.close()
  const { log: restored, rules, source } = openLog({ path: folder })
  t.is(
    rules.value('s.st/last:2', 'sum'),
    [...source.chunks('s.st')].reduce((rows, chunk) => rows + chunk.rows, 0),
  )
  await restored.close()
})

test('a log that gives its free space back keeps the state', async (t) => {
  const path = join(temporaryFolder(), 'log')
  const one = openLog({ path, maintainRulesEvery_ms: 20 })
  const text = 'x'.repeat(2_000)
  await append(
    one.turns,
    Array.from({ length: 4_000 }, (_, at) => item('k', at + 1, text)),
  )
  await append(one.turns, [
    ...Array.from({ length: 3_990 }, (_, at) => gone(item('k', at + 1, ''))),
    value('v', 5_000, 1),
  ])
  await until('its journal is in the records', () => one.recordsOfRules() === 11 && one.rules.bytes() < 100_000)
  const bytes = one.rules.bytes()
  await one.log.close()
  const sizeOf = () => statSync(join(path, 'log.mdb')).size
  const before = sizeOf()
  await giveSpaceBack(path, silentLogger(), 1024 * 1024)
  t.true(sizeOf() < before / 2, `${before} to ${sizeOf()} bytes`)
  const two = openLog({ path })
  t.deepEqual([two.rules.bytes(), two.rules.items('s.st/run:1', 'k').length], [bytes, 10])
  t.is(two.rules.value('s.st/last:2', 'v'), 1)
  await two.log.close()
})
