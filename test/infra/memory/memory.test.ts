/** The memory of rules over a log on the disk, beside a map that says what it must know. */
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { createLmdbLog, type LmdbLogOptions } from '../../../infra/log/embedded/log.ts'
import { createRuleMemory, type RuleMemoryDeps } from '../../../infra/memory/memory.ts'
import type { RuleState } from '../../../infra/memory/state.ts'
import { createMetrics } from '../../../infra/metrics.ts'
import type { Random } from '../../support/random/random.ts'
import { randomFor, runs } from '../../support/random/seed.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { turnOf } from '../../support/turn.ts'
import { until } from '../../support/until.ts'

const space = 's.st/run:1'

function open(path = join(temporaryFolder(), 'log'), more: Partial<RuleMemoryDeps & LmdbLogOptions> = {}) {
  const { log, turns, rules, clock, source, copy } = createLmdbLog({ path, maxBytes: 2 ** 30, ...more })
  const metrics = createMetrics()
  const memory = createRuleMemory({ store: rules, metrics, last: clock.last, ...more })
  return {
    ...{ path, log, turns, rules, clock, source, copy, memory, metrics },
    /** One turn whose changes are appended with a line; one that `fails` meets a commit that cannot be written. */
    turn(work: (state: RuleState) => void, fails = false): Promise<unknown> {
      memory.begin()
      work(memory.state)
      const answers = fails ? [{ key: 'k'.repeat(5_000), answer: '{}', seq: 1 }] : []
      return turns.commit(turnOf('s.st', Buffer.from('1\n'), 1, { answers, ...memory.changes() }))
    },
  }
}
type Opened = ReturnType<typeof open>

const seqsOf = ({ memory }: Opened, key: string): number[] => memory.state.list(space, key).items.map(({ seq }) => seq)
const itemOf = (seq: number, value: unknown = seq) => ({ seq, pk: seq * 10, value })

async function dropsOf({ metrics }: Opened, stream: string): Promise<number> {
  const { values } = await metrics.rulesDropped.get()
  return values.find(({ labels }) => labels.stream === stream)?.value ?? 0
}

test('what a turn changed is as if it had not been once it is undone', async (t) => {
  const opened = open()
  const { memory, log, turn } = opened
  await turn((state) => {
    for (let seq = 1; seq <= 5; seq++) state.list(space, 'a').add(itemOf(seq))
    state.set('s.st/last:1', 'v', 'before')
  })
  memory.begin()
  const list = memory.state.list(space, 'a')
  for (const seq of [1, 3]) list.remove(itemOf(seq))
  list.replace(itemOf(2, 'other'))
  list.add(itemOf(6))
  list.remove(itemOf(6))
  list.add(itemOf(7))
  list.replace(itemOf(99))
  memory.state.set('s.st/last:1', 'v', 'changed')
  memory.state.set('s.st/last:1', 'v', undefined)
  memory.state.set('s.st/last:1', 'w', 1)
  memory.state.dropped(space, 5)
  t.deepEqual(seqsOf(opened, 'a'), [2, 4, 5, 7])
  memory.undo()
  t.deepEqual(
    memory.state.list(space, 'a').items,
    [1, 2, 3, 4, 5].map((seq) => itemOf(seq)),
  )
  t.deepEqual([memory.state.value('s.st/last:1', 'v'), memory.state.value('s.st/last:1', 'w')], ['before', undefined])
  t.deepEqual(memory.usage('s').get('st')?.dropped, 0)
  await log.close()
})

test('a turn has one change for each item and value, and none for what came and went', async (t) => {
  const { memory, log, turn } = open()
  await turn((state) => state.list(space, 'a').add(itemOf(1)))
  memory.begin()
  const list = memory.state.list(space, 'a')
  for (let round = 0; round < 3; round++) list.replace(itemOf(1, round))
  list.add(itemOf(2))
  list.remove(itemOf(2))
  for (let round = 0; round < 3; round++) memory.state.set('s.st/last:1', 'v', round, { seq: 7, pk: 70 })
  memory.state.set('s.st/last:1', 'w', 1)
  memory.state.set('s.st/last:1', 'w', undefined)
  const { changes, settled } = memory.changes()
  const shown = changes.map(({ space, key, isItem, isNew, seq, pk, value }) => ({
    ...{ space, key, isItem, isNew, seq, pk, value },
  }))
  t.deepEqual(shown, [
    { space, key: 'a', isItem: true, isNew: false, seq: 1, pk: 10, value: 2 },
    { space: 's.st/last:1', key: 'v', isItem: false, isNew: true, seq: 7, pk: 70, value: 2 },
  ])
  settled(false)
  t.is(memory.state.value('s.st/last:1', 'v'), undefined)
  await log.close()
})

test('a list keeps 10,000 events, the oldest go and are counted, also after a restart', async (t) => {
  const first = open()
  for (let round = 0; round < 3; round++) {
    await first.turn((state) => {
      const list = state.list(space, 'a')
      for (let at = 0; at < 4_000; at++) list.add(itemOf(1 + round * 4_000 + at))
    })
  }
  const kept = Array.from({ length: 10_000 }, (_, at) => 2_001 + at)
  t.deepEqual(seqsOf(first, 'a'), kept)
  t.is(await dropsOf(first, 's.st'), 2_000)
  await first.log.close()
  const second = open(first.path)
  t.deepEqual(seqsOf(second, 'a'), kept)
  t.deepEqual(second.memory.usage('s').get('st'), { bytes: second.rules.bytes(), dropped: 2_000 })
  t.is(second.memory.usage('other').size, 0)
  await second.log.close()
})

test('what is not committed yet is known although the memory is full, and what is committed is read anew', async (t) => {
  const opened = open(undefined, { maxCached: { items: 10, bytes: 1e9 } })
  const { memory, turn, log } = opened
  const turns = Array.from({ length: 30 }, (_, at) => turn((state) => state.list(space, `k${at}`).add(itemOf(at + 1))))
  memory.begin()
  t.is(memory.cached().items, 60)
  t.deepEqual(
    Array.from({ length: 30 }, (_, at) => seqsOf(opened, `k${at}`)[0]),
    Array.from({ length: 30 }, (_, at) => at + 1),
  )
  memory.undo()
  await Promise.all(turns)
  memory.begin()
  t.true(memory.cached().items <= 10)
  t.deepEqual(
    Array.from({ length: 30 }, (_, at) => seqsOf(opened, `k${at}`)[0]),
    Array.from({ length: 30 }, (_, at) => at + 1),
  )
  memory.undo()
  await log.close()
})

test('a memory whose part of the room gets smaller, since others came, gives back what is too much, though no turn begins', async (t) => {
  let others = 0
  const opened = open(undefined, { maxCached: { items: 100, bytes: 1e9 }, share: () => 1 / (1 + others) })
  const { memory, turn, log } = opened
  for (let at = 0; at < 40; at++) await turn((state) => state.list(space, `k${at}`).add(itemOf(at + 1)))
  memory.rest()
  t.is(memory.cached().items, 80)
  others = 9
  memory.rest()
  t.true(memory.cached().items <= 10, `${memory.cached().items}`)
  memory.begin()
  t.deepEqual(
    Array.from({ length: 40 }, (_, at) => seqsOf(opened, `k${at}`)[0]),
    Array.from({ length: 40 }, (_, at) => at + 1),
  )
  memory.undo()
  await log.close()
})

test('after a commit that failed the state is that of the disk, and a turn that was open meanwhile has to be done again', async (t) => {
  const opened = open()
  const { memory, turn, log } = opened
  await turn((state) => state.list(space, 'a').add(itemOf(1)))
  const under = turn((state) => state.list(space, 'a').add(itemOf(2)))
  const failing = turn((state) => state.list(space, 'a').add(itemOf(3)), true)
  const after = turn((state) => state.list(space, 'a').add(itemOf(4)))
  memory.begin()
  memory.state.list(space, 'a').add(itemOf(5))
  t.deepEqual(
    (await Promise.allSettled([under, failing, after])).map(({ status }) => status),
    ['fulfilled', 'rejected', 'rejected'],
  )
  t.throws(() => memory.changes(), { message: /could not be written/ })
  memory.undo()
  t.deepEqual(seqsOf(opened, 'a'), [1, 2])
  await turn((state) => state.list(space, 'a').add(itemOf(6)))
  t.deepEqual(seqsOf(opened, 'a'), [1, 2, 6])
  await log.close()
})

test('an append that the full log refuses undoes its turn alone', async (t) => {
  const opened = open(undefined, { maxBytes: 5 })
  const { turn, log } = opened
  const under = [1, 2].map((seq) => turn((state) => state.list(space, 'a').add(itemOf(seq))))
  const refused = turn((state) => state.list(space, 'a').remove(itemOf(1)))
  t.deepEqual(seqsOf(opened, 'a'), [1, 2])
  await Promise.all(under)
  await t.throwsAsync(refused, { message: /the log is full/ })
  t.deepEqual(seqsOf(opened, 'a'), [1, 2])
  await log.close()
})

test('what goes from the disk past the bound goes from the memory, and the metric counts it', async (t) => {
  const opened = open(undefined, { maxRuleBytes: 20_000 })
  for (let seq = 1; seq <= 60; seq++) {
    await opened.turn((state) => {
      state.list(space, 'a').add(itemOf(seq, 'x'.repeat(1_000)))
      state.set('s.other/last:1', `v${seq}`, 'x'.repeat(100))
    })
  }
  const known = seqsOf(opened, 'a')
  t.deepEqual(
    known,
    opened.rules.items(space, 'a').map(({ seq }) => seq),
  )
  t.true(known.length >= 10 && known.length < 20)
  t.is(known.at(-1), 60)
  t.is(await dropsOf(opened, 's.st'), 60 - known.length)
  t.is(opened.memory.usage('s').get('st')?.dropped, 60 - known.length)
  const values = Array.from({ length: 60 }, (_, at) => `v${at + 1}`)
  t.deepEqual(
    values.map((key) => opened.memory.state.value('s.other/last:1', key) !== undefined),
    values.map((key) => opened.rules.value('s.other/last:1', key) !== undefined),
  )
  await opened.log.close()
})

test('an event of a key that never comes again goes once its rule has no use for it', async (t) => {
  const newest = 's.st/time:1'
  const opened = open(undefined, {
    maintainRulesEvery_ms: 20,
    isForgotten: (name, { pk }, state) => name === space && pk < Number(state.value(newest, 'k')) - 100,
  })
  const { turn, log, rules } = opened
  await turn((state) => {
    for (let seq = 1; seq <= 20; seq++) state.list(space, `k${seq}`).add(itemOf(seq))
    state.set(newest, 'k', 200)
  })
  const keys = Array.from({ length: 20 }, (_, at) => `k${at + 1}`)
  const left = () => keys.filter((key) => seqsOf(opened, key).length > 0)
  await until('the old ones are gone', () => left().length === 11)
  t.deepEqual(left(), keys.slice(9))
  t.deepEqual(
    keys.filter((key) => rules.items(space, key).length > 0),
    keys.slice(9),
  )
  t.is(await dropsOf(opened, 's.st'), 0)
  await turn((state) => state.set(newest, 'k', 299))
  await until('more are gone', () => left().length === 1)
  await log.close()
})

test('an event that is erased is known no more, whatever is under way', async (t) => {
  const opened = open()
  const { memory, turn, log, rules } = opened
  await turn((state) => {
    for (let seq = 1; seq <= 5; seq++) state.list(space, 'a').add(itemOf(seq))
    state.set('s.st/last:1', 'v', 'of the third', { seq: 3, pk: 30 })
    state.list('s.other/run:1', 'a').add(itemOf(3))
  })
  const under = turn((state) => state.list(space, 'a').replace(itemOf(3, 'changed')))
  const forgotten = memory.forget('s', 'st', (seq, pk) => seq === 3 && pk === 30)
  await Promise.all([under, turn((state) => state.list(space, 'a').replace(itemOf(3, 'again'))), forgotten])
  t.deepEqual(seqsOf(opened, 'a'), [1, 2, 4, 5])
  t.deepEqual(
    rules.items(space, 'a').map(({ seq }) => seq),
    [1, 2, 4, 5],
  )
  t.deepEqual(
    [memory.state.value('s.st/last:1', 'v'), memory.state.list('s.other/run:1', 'a').items.length],
    [undefined, 1],
  )
  await log.close()
})

test('an event is erased while others meet it without a pause', async (t) => {
  const opened = open()
  const { memory, turn, log, rules } = opened
  const last = 's.st/last:1'
  // Of so many changes all wait in the journal.
  const others = Array.from({ length: 20 }, (_, at) => `k${at}`)
  let seq = 100
  const meet = (): Promise<unknown> =>
    turn((state) => {
      seq++
      if (state.value(last, 'v') !== undefined) state.set(last, 'v', `met by ${seq}`, { seq: 3, pk: 30 })
      const passive = state.list(space, 'a').items.find((item) => item.seq === 3)
      if (passive) state.list(space, 'a').replace(itemOf(3, seq))
      for (const key of others) state.set('s.st/other:1', key, seq, { seq, pk: seq })
    })
  await turn((state) => {
    state.list(space, 'a').add(itemOf(3))
    state.set(last, 'v', 'of the third', { seq: 3, pk: 30 })
    for (const key of others) state.set('s.st/other:1', key, 1, { seq: 1, pk: 1 })
  })
  let isDone = false
  const forgotten = memory
    .forget('s', 'st', (of, pk) => of === 3 && pk === 30)
    .finally(() => {
      isDone = true
    })
  let rounds = 0
  let latest: Promise<unknown> = Promise.resolve()
  // One is always on its way to a commit.
  while (!isDone && rounds++ < 2_000) {
    const before = latest
    latest = meet()
    await before
  }
  t.true(isDone, 'the erasure ends')
  await Promise.all([forgotten, latest])
  t.deepEqual([seqsOf(opened, 'a'), memory.state.value(last, 'v')], [[], undefined])
  t.deepEqual([rules.items(space, 'a'), rules.value(last, 'v')], [[], undefined])
  t.is(memory.state.value('s.st/other:1', 'k7'), seq)
  await log.close()
})

test('spaces of a stream that are dropped are empty, and those of others stay', async (t) => {
  const { memory, turn, log } = open()
  const names = ['s.st/run:1', 's.st/last:2', 's.st2/run:1', 's2.st/run:1']
  await turn((state) => {
    for (const name of names) state.set(name, 'v', 1)
  })
  t.deepEqual(memory.spaces('s'), ['s.st/run:1', 's.st/last:2', 's.st2/run:1'])
  const dropped = memory.drop('s.st/')
  const known = () => names.map((name) => memory.state.value(name, 'v') !== undefined)
  t.deepEqual(known(), [false, false, true, true])
  await Promise.all([dropped, turn((state) => state.set('s.st/run:1', 'v', 2))])
  t.deepEqual(known(), [true, false, true, true])
  t.deepEqual(memory.spaces('s').toSorted(), ['s.st/run:1', 's.st2/run:1'])
  await log.close()
})

type Model = ReadonlyMap<string, ReadonlyMap<number, unknown>>
const keys = Array.from({ length: 12 }, (_, at) => (at === 0 ? 'long'.repeat(100) : `k${at}`))
const spaces = ['s.a/x:1', 's.b/y:2']

/** A random step in the memory and, made anew, in the model. Values that stand alone have the place 0 in it. */
function step(random: Random, state: RuleState, model: Model, seq: number): Model {
  const [space, key] = [random.pick(spaces), random.pick(keys)]
  const place = `${space} ${key}`
  const now = new Map(model.get(place))
  const list = state.list(space, key)
  const there = list.items.length > 0 ? random.pick(list.items) : undefined
  switch (random.pick(['add', 'add', 'remove', 'replace', 'set', 'unset', 'first'])) {
    case 'add':
      list.add(itemOf(seq))
      now.set(seq, seq)
      break
    case 'replace':
      if (there) {
        list.replace({ ...there, value: [seq, 'r'] })
        now.set(there.seq, [seq, 'r'])
      }
      break
    case 'set':
      state.set(space, key, { seq })
      now.set(0, { seq })
      break
    case 'unset':
      state.set(space, key, undefined)
      now.delete(0)
      break
    case 'first':
      if (list.items[0]) {
        now.delete(list.items[0].seq)
        list.remove(list.items[0])
      }
      break
    default:
      if (there) {
        list.remove(there)
        now.delete(there.seq)
      }
  }
  return new Map(model).set(place, now)
}

function told(ask: Pick<Opened['rules'], 'items' | 'value'>): Record<string, unknown> {
  const all: Record<string, unknown> = {}
  for (const space of spaces) {
    for (const key of keys) {
      const value = ask.value(space, key)
      const pairs = ask.items(space, key).map(({ seq, value }) => [seq, value])
      if (value !== undefined) pairs.unshift([0, value])
      if (pairs.length > 0) all[`${space} ${key}`] = pairs
    }
  }
  return all
}

const wanted = (model: Model): Record<string, unknown> =>
  Object.fromEntries(
    [...model]
      .filter(([, items]) => items.size > 0)
      .map(([place, items]) => [place, [...items].toSorted(([a], [b]) => a - b)]),
  )

const inMemory = ({ memory: { state } }: Opened) => ({
  value: state.value,
  items: (space: string, key: string) => [...state.list(space, key).items],
})

/** The number of the last turn that the log has a line of, 0 where it has none. */
function lastTurn({ source }: Opened): number {
  const lines = [...source.chunks('s.st')].flatMap((chunk) => chunk.lines.toString('utf8').trim().split('\n'))
  return Number(lines.at(-1) ?? 0)
}

/** A copy has what a process would have that is killed at its moment. */
async function startKilled(t: ExecutionContext, folder: string, models: ReadonlyMap<number, Model>): Promise<void> {
  const killed = open(folder, { maintainRulesEvery_ms: 60_000 })
  const model = models.get(lastTurn(killed)) ?? new Map()
  t.deepEqual(told(killed.rules), wanted(model))
  t.deepEqual(told(inMemory(killed)), wanted(model))
  await killed.log.close()
}

async function live(t: ExecutionContext, random: Random): Promise<void> {
  const options = {
    maxCached: { items: random.whole(1, 40), bytes: 1e9 },
    // The journal stays as it is, or goes into the records all the time.
    maintainRulesEvery_ms: random.pick([2, 60_000]),
  }
  let opened = open(undefined, options)
  let model: Model = new Map()
  let seq = 0
  let count = 0
  /** The model after each turn that was appended. */
  const models = new Map<number, Model>()
  for (let wave = 0; wave < 6; wave++) {
    const begun = new Set<object>()
    const under: Promise<unknown>[] = []
    const copied = temporaryFolder()
    let copying: Promise<void> | undefined
    for (let turn = random.whole(1, 8); turn > 0; turn--) {
      const { memory } = opened
      const before = model
      memory.begin()
      for (let steps = random.whole(0, random.pick([12, 60])); steps > 0; steps--)
        model = step(random, memory.state, model, ++seq)
      if (random.chance(0.2)) {
        memory.undo()
        model = before
      } else {
        const { settled, ...changes } = memory.changes()
        const mine = {}
        begun.add(mine)
        const ofTurn = {
          ...changes,
          settled(isCommitted: boolean) {
            settled(isCommitted)
            // The first that is lost says what is left; what came after it is lost as well.
            if (!isCommitted && begun.has(mine)) {
              model = before
              begun.clear()
            }
            begun.delete(mine)
          },
        }
        const answers = random.chance(0.1) ? [{ key: 'k'.repeat(5_000), answer: '{}', seq: 1 }] : []
        models.set(++count, model)
        const line = Buffer.from(`${count}\n`)
        under.push(opened.turns.commit(turnOf('s.st', line, 1, { answers, ...ofTurn })).catch(() => {}))
      }
      if (under.length > 0 && random.chance(0.3)) await Promise.race(under)
      if (random.chance(0.15)) copying ??= opened.copy(copied)
      if (random.chance(0.3)) t.deepEqual(told(inMemory(opened)), wanted(model))
    }
    await Promise.all(under)
    t.deepEqual(told(inMemory(opened)), wanted(model))
    t.deepEqual(told(opened.rules), wanted(model))
    await copying
    if (copying) await startKilled(t, copied, models)
    if (random.chance(0.2)) {
      const gone = random.pick(spaces)
      await opened.memory.drop(gone)
      model = new Map([...model].filter(([place]) => !place.startsWith(gone)))
      models.set(lastTurn(opened), model)
    }
    if (random.chance(0.2)) {
      const [stream, part] = [random.pick(['a', 'b']), random.whole(2, 5)]
      const isErased = (of: number): boolean => of % part === 0
      await opened.memory.forget('s', stream, isErased)
      // Values that stand alone are of no event here.
      const left = (items: ReadonlyMap<number, unknown>) => [...items].filter(([of]) => of === 0 || !isErased(of))
      model = new Map(
        [...model].map(([place, items]) => [place, place.startsWith(`s.${stream}/`) ? new Map(left(items)) : items]),
      )
      models.set(lastTurn(opened), model)
      t.deepEqual(told(inMemory(opened)), wanted(model))
      t.deepEqual(told(opened.rules), wanted(model))
    }
    if (random.chance(0.4)) {
      const { bytes } = opened.rules
      await opened.log.close()
      opened = open(opened.path, options)
      t.is(opened.rules.bytes(), bytes())
    }
  }
  await opened.log.close()
}

test('the memory knows what a map would, whatever is undone, lost, erased, dropped, killed, or read anew after a restart', async (t) => {
  const random = randomFor(t)
  for (let run = 0; run < runs(12, 300); run++) await live(t, random)
})
