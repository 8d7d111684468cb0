import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'
import test from 'ava'
import { open } from 'lmdb'
import { createLmdbLog, type LmdbLog, type LmdbLogOptions } from '../../../infra/log/embedded/log.ts'
import { sortedInSteps } from '../../../infra/memory/in-steps.ts'
import { changesIn } from '../../../infra/memory/journal.ts'
import { openRuleTrees, storedKey } from '../../../infra/memory/records.ts'
import type { StateChange } from '../../../infra/memory/state.ts'
import { openRuleData, readJournalInSteps } from '../../../infra/memory/store.ts'
import { moveVersion, versionOf } from '../../../infra/memory/versions.ts'
import { rounds } from '../../support/random/seed.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { turnOf } from '../../support/turn.ts'
import { until } from '../../support/until.ts'

const openLog = (options: Partial<LmdbLogOptions> = {}): LmdbLog =>
  createLmdbLog({ path: join(temporaryFolder(), 'log'), maxBytes: 2 ** 30, ...options })
const append = ({ turns }: Pick<LmdbLog, 'turns'>, changes: readonly StateChange[]) =>
  turns.commit(turnOf('s.st', Buffer.from('{}\n'), 1, { changes }))

const spaces = ['s.st/run:1', 's.st/last:2'] as const
const never = 60_000
/** Two of such texts are compared in less time than what they show. */
const whole = { depth: 9, maxArrayLength: 10_000 }

/** The same numbers each time. */
function randomOf(seed: number) {
  let state = seed
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** The state, kept as simply as can be. */
function createModel() {
  const known = new Map<string, StateChange>()
  const nameOf = ({ space, key, isItem, seq }: StateChange): string => `${space} ${key} ${isItem ? seq : ''}`
  return {
    has: (change: StateChange): boolean => known.has(nameOf(change)),
    take(change: StateChange): void {
      if (change.value === undefined) known.delete(nameOf(change))
      else known.set(nameOf(change), change)
    },
    erase(seq: number): void {
      for (const [name, change] of known) if (change.seq === seq) known.delete(name)
    },
    items: (space: string, key: string) =>
      [...known.values()]
        .filter((each) => each.isItem && each.space === space && each.key === key)
        .map(({ seq, pk = 0, value }) => ({ seq, pk, value }))
        .toSorted((one, other) => one.seq - other.seq),
    value: (space: string, key: string) => known.get(`${space} ${key} `)?.value,
    all: () => [...known.values()],
  }
}

const keys = Array.from({ length: 12 }, (_, at) => `k${'x'.repeat(at * at * 2)}`)

test('reads, restarts, erasures and counts are the same whether changes go to the journal or to their places', async (t) => {
  const random = randomOf(33)
  const path = join(temporaryFolder(), 'log')
  let log = openLog({ path, maintainRulesEvery_ms: 15 })
  const model = createModel()
  let seq = 0
  const seqs: number[] = []

  function changeOf(): StateChange {
    const [space = spaces[0], key = ''] = [spaces[random(2)], keys[random(keys.length)]]
    const isItem = random(3) > 0
    const isOld = isItem && seqs.length > 0 && random(3) === 0
    const at = isOld ? (seqs[random(seqs.length)] ?? 0) : ++seq
    if (!isOld) seqs.push(at)
    const change = {
      space,
      key,
      isItem,
      seq: at,
      pk: at,
      value: random(5) === 0 ? undefined : { n: [at, 'x', 2n ** 60n] },
    }
    return { ...change, isNew: !model.has(change) }
  }

  function isSame(where: string): void {
    const [found, expected] = [[], []] as [unknown[], unknown[]]
    for (const space of spaces) {
      for (const key of keys) {
        found.push(log.rules.items(space, key), log.rules.value(space, key))
        expected.push(model.items(space, key), model.value(space, key))
      }
    }
    if (inspect(found, whole) === inspect(expected, whole)) t.pass()
    else t.deepEqual(found, expected, where)
  }

  for (let round = 0; round < rounds(50, 25); round++) {
    const changes = new Map<string, StateChange>()
    for (let i = random(2) === 0 ? random(4) : 16 + random(60); i > 0; i--) {
      const change = changeOf()
      const name = `${change.space} ${change.key} ${change.isItem ? change.seq : ''}`
      if (!changes.has(name)) changes.set(name, change)
    }
    for (const change of changes.values()) model.take(change)
    const appended = append(log, [...changes.values()])
    if (random(4) > 0) await appended
    if (random(12) === 0) {
      await appended
      const erased = seqs[random(seqs.length)]
      await log.rules.forget('s.', (each) => each === erased)
      model.erase(erased ?? 0)
    }
    if (random(6) === 0) await sleep(20)
    await appended
    isSame(`round ${round}`)
    if (random(12) === 0) {
      await log.log.close()
      log = openLog({ path, maintainRulesEvery_ms: 15 })
      isSame(`a start after round ${round}`)
    }
  }
  await log.log.close()
  log = openLog({ path })
  isSame('the last start')
  t.is(log.recordsOfRules(), model.all().length)
  const plain = openLog()
  for (const change of model.all()) await append(plain, [change])
  t.is(log.rules.bytes(), plain.rules.bytes())
  await plain.log.close()
  await log.log.close()
})

test('what a process that is killed left in the journal is there at the next start, and goes into the records', async (t) => {
  const path = join(temporaryFolder(), 'log')
  const killed = join(temporaryFolder(), 'log')
  const one = openLog({ path, maintainRulesEvery_ms: never })
  const items = (from: number, isNew: boolean) =>
    Array.from({ length: 2_000 }, (_, at): StateChange => {
      const seq = from + at
      return { space: 's.st/run:1', key: `k${at}`, isItem: false, seq, pk: seq, value: seq, isNew }
    })
  await append(one, items(1, true))
  await append(one, items(10_001, false))
  t.is(one.recordsOfRules(), 0)
  t.true(one.rules.bytes() > 0 && (one.rules.spaces('s.')[0]?.bytes ?? 0) > 0)
  cpSync(path, killed, { recursive: true })
  await one.log.close()
  const two = openLog({ path: killed, maintainRulesEvery_ms: 20 })
  t.is(two.rules.value('s.st/run:1', 'k1999'), 12_000)
  await until('the journal is in the records', () => two.recordsOfRules() === 2_000)
  t.is(two.rules.value('s.st/run:1', 'k0'), 10_001)
  await two.log.close()
  const [three, again] = [openLog({ path: killed }), openLog({ path })]
  t.is(three.rules.bytes(), again.rules.bytes())
  await three.log.close()
  await again.log.close()
})

test('a start amid the way of the journal into the records has all of it, once', async (t) => {
  const one = openLog({ maintainRulesEvery_ms: 20 })
  const folder = temporaryFolder()
  const count = 30_000
  const values = Array.from({ length: count }, (_, at): StateChange => {
    return { space: 's.st/run:1', key: `k${at}`, isItem: false, seq: at + 1, value: at, isNew: true }
  })
  await append(one, values)
  await until('some of it is in the records', () => one.recordsOfRules() > 0)
  await one.copy(folder)
  await until('all of it is', () => one.recordsOfRules() === count)
  await one.log.close()
  const two = openLog({ path: folder, maintainRulesEvery_ms: never })
  const before = two.recordsOfRules()
  t.true(before > 0 && before < count, `${before} records`)
  t.deepEqual(
    values.map(({ key }) => two.rules.value('s.st/run:1', key)),
    values.map(({ value }) => value),
  )
  await two.log.close()
  const three = openLog({ path: folder })
  t.deepEqual([three.recordsOfRules(), three.rules.bytes()], [count, one.rules.bytes()])
  await three.log.close()
})

test('a space that is dropped takes what the journal has of it along, and one of the same name begins anew', async (t) => {
  const path = join(temporaryFolder(), 'log')
  const log = openLog({ path, maintainRulesEvery_ms: never })
  const values = (from: number, length: number) =>
    Array.from({ length }, (_, at): StateChange => {
      return { space: 's.st/run:1', key: `k${at}`, isItem: false, seq: from + at, value: from, isNew: true }
    })
  await append(log, values(1, 50))
  const dropped = log.rules.drop('s.st/')
  t.is(log.rules.value('s.st/run:1', 'k1'), undefined)
  await dropped
  await append(log, values(100, 20))
  t.deepEqual(
    ['k1', 'k30'].map((key) => log.rules.value('s.st/run:1', key)),
    [100, undefined],
  )
  await log.log.close()
  const two = openLog({ path, maintainRulesEvery_ms: 20 })
  await until('its records alone are left', () => two.recordsOfRules() === 20)
  t.deepEqual(
    ['k1', 'k30'].map((key) => two.rules.value('s.st/run:1', key)),
    [100, undefined],
  )
  await two.log.close()
})

test('many texts are sorted in steps', async (t) => {
  const random = randomOf(7)
  const texts = Array.from({ length: 20_000 }, () => `car-${random(1_000_000_000)}`)
  let pauses = 0
  t.deepEqual(await sortedInSteps(texts, async () => pauses++), texts.toSorted())
  t.true(pauses > 10)
  t.deepEqual(await sortedInSteps([], async () => {}), [])
})

test('what comes to its place beside the journal is not set back by it', async (t) => {
  const log = openLog({ maintainRulesEvery_ms: 1 })
  const keys = Array.from({ length: 40 }, (_, at) => `k${at}`)
  const valuesAt = (seq: number, some: readonly string[]) =>
    some.map((key): StateChange => ({ space: 's.st/run:1', key, isItem: false, seq, value: seq, isNew: seq === 1 }))
  const wanted = new Map<string, number>()
  for (let round = 1; round <= rounds(300, 120); round++) {
    const some = round % 3 === 1 ? keys : keys.slice(0, 3)
    for (const key of some) wanted.set(key, round)
    const appended = append(log, valuesAt(round, some))
    if (round % 7 === 0) await log.rules.forget('s.', () => false)
    await appended
    t.deepEqual(
      keys.map((key) => log.rules.value('s.st/run:1', key)),
      keys.map((key) => wanted.get(key)),
    )
  }
  await log.log.close()
})

test('a commit that fails while the journal goes into the records takes nothing along that was kept before', async (t) => {
  const path = join(temporaryFolder(), 'log')
  const log = openLog({ path, maintainRulesEvery_ms: 1 })
  const count = 12_000
  const changesAt = (seq: number, length = count) =>
    Array.from({ length }, (_, at): StateChange => {
      return { space: 's.st/run:1', key: `k${at}`, isItem: false, seq: seq + at, value: seq, isNew: seq === 1 }
    })
  const failing = () =>
    log.turns.commit(
      turnOf('s.st', Buffer.from('{}\n'), 1, {
        answers: [{ key: 'k'.repeat(5_000), answer: '{}', seq: 1 }],
        changes: changesAt(100_000, 500),
      }),
    )
  let seq = 1
  await append(log, changesAt(seq))
  await until('some of it is in the records', () => log.recordsOfRules() > 0)
  let failed = 0
  while (log.recordsOfRules() < count || failed < 5) {
    if (failed < 5) await failing().catch(() => failed++)
    seq += count
    await append(log, changesAt(seq, 100))
  }
  const valuesIn = ({ rules }: LmdbLog) => Array.from({ length: count }, (_, at) => rules.value('s.st/run:1', `k${at}`))
  const expected = Array.from({ length: count }, (_, at) => (at < 100 ? seq : 1))
  t.deepEqual(valuesIn(log), expected)
  await log.log.close()
  const again = openLog({ path })
  t.deepEqual(valuesIn(again), expected)
  t.is(again.recordsOfRules(), count)
  await again.log.close()
})

test('a journal that a start finds goes into records that are past the bound, and the oldest go', async (t) => {
  const path = join(temporaryFolder(), 'log')
  const killed = join(temporaryFolder(), 'log')
  const one = openLog({ path, maintainRulesEvery_ms: never })
  const count = 6_000
  const items = Array.from({ length: count }, (_, at): StateChange => {
    return { space: 's.st/run:1', key: `k${at}`, isItem: true, seq: at + 1, pk: at, value: 'x'.repeat(50), isNew: true }
  })
  await append(one, items)
  cpSync(path, killed, { recursive: true })
  await one.log.close()
  const two = openLog({ path: killed, maxRuleBytes: 100_000, maintainRulesEvery_ms: 20 })
  await until('the state is small', () => two.recordsOfRules() > 0 && two.rules.bytes() <= 100_000)
  await append(two, [])
  const [{ dropped } = { dropped: 0 }] = two.rules.spaces('')
  t.is(two.recordsOfRules(), count - dropped)
  t.deepEqual(
    items.filter(({ key }) => two.rules.items('s.st/run:1', key).length > 0).map(({ seq }) => seq),
    items.slice(dropped).map(({ seq }) => seq),
  )
  await two.log.close()
})

test('what is erased while the journal goes into the records is not in a copy of the log either', async (t) => {
  const log = openLog({ maintainRulesEvery_ms: 1 })
  const space = 's.st/run:1'
  let seq = 0
  const itemOf = (at: number): StateChange => ({
    space,
    key: 'k',
    isItem: true,
    seq: at,
    pk: at,
    value: at,
    isNew: true,
  })
  for (let round = 0; round < 8; round++) {
    const erased = seq + 5
    await append(
      log,
      Array.from({ length: 40 }, () => itemOf(++seq)),
    )
    const forgotten = log.rules.forget('s.', (each) => each === erased)
    for (let i = 0; i < 3; i++) {
      const others = Array.from({ length: 20 }, () => itemOf(++seq))
      await append(log, i === 0 ? [...others, { ...itemOf(erased), value: 'changed', isNew: false }] : others)
    }
    await forgotten
    const folder = temporaryFolder()
    await log.copy(folder)
    const copied = openLog({ path: folder })
    t.false(copied.rules.items(space, 'k').some((item) => item.seq === erased))
    t.deepEqual(copied.rules.items(space, 'k'), log.rules.items(space, 'k'))
    await copied.log.close()
  }
  await log.log.close()
})

test('a long journal is read in short stretches, and is then as if it had been read at once', async (t) => {
  const path = join(temporaryFolder(), 'log')
  const killed = join(temporaryFolder(), 'log')
  const log = openLog({ path, maintainRulesEvery_ms: never })
  const keysAt = Array.from({ length: 1_500 }, (_, at) => `k${at}`)
  for (let at = 0; at < 30; at++) {
    await append(
      log,
      keysAt.map((key, place) => ({
        ...{ space: 's.st/run:1', key, isItem: false, seq: at * 1_500 + place, value: at, isNew: at === 0 },
      })),
    )
  }
  cpSync(path, killed, { recursive: true })
  await log.log.close()
  const root = open({ path: join(killed, 'log.mdb'), maxDbs: 16 })
  const data = openRuleData(root)
  let pauses = 0
  const named = await readJournalInSteps(data, async () => {
    pauses++
  })
  t.is(named.seq, 30 * 1_500 - 1)
  t.true(pauses >= 11, `${pauses} pauses for 45,000 changes`)
  t.is(data.cache.committedValue('s.st/run:1', 'k9'), 29)
  await root.close()
  const again = openLog({ path: killed, maintainRulesEvery_ms: never })
  t.deepEqual(
    keysAt.map((key) => again.rules.value('s.st/run:1', key)),
    keysAt.map(() => 29),
  )
  await again.log.close()
})

test('a record that the journal has brought to its place is left alone until its entry is off the disk', async (t) => {
  const root = open({ path: join(temporaryFolder(), 'trees'), maxDbs: 8 })
  const { commits, cache } = openRuleData(root)
  const space = 's.st/run:1'
  const version = versionOf({ space, key: 'k', isItem: false, seq: 1, value: 1, isNew: true }, 'k')
  const isLeftAlone = (): boolean => commits.has(space, 'k', undefined)
  t.false(isLeftAlone())
  commits.committed(version, { ofSpace: 7, ordinal: 1 })
  t.deepEqual(commits.take(), [version])
  t.true(isLeftAlone())
  moveVersion(version, 'recorded')
  t.true(isLeftAlone())
  commits.clean(version)
  t.deepEqual([isLeftAlone(), version.state, cache.find(space, 'k', false)], [false, 'clean', undefined])
  t.throws(() => moveVersion(version, 'journalled'), { message: 'a version is clean and cannot become journalled' })
  await root.close()
})

test('an entry of the journal that an earlier process left is read, whatever has changed since in memory', async (t) => {
  const root = open({ path: join(temporaryFolder(), 'trees'), maxDbs: 8 })
  const { codec } = openRuleTrees(root)
  // Written before versions had states: an item of space 7, and the removal of a value of space 9 under a long key.
  const entry = Buffer.from(
    'kZKSBwnEsZwAoWEDy0MYZmjcUUAEy0MYZmjcUUAA3gABoW6TAaF40xAAAAAAAAAAAdmBI2M2YWE2YzVlYWVmN2EyNjQxM2JkNzdjZjM4MGJiNjAzZTkzOTc5MWU3ZDgxNjEzYjY2MzcyYzQ3OTBkNTI0Njg5MGUyZmNkMDY3MGNiYjg1ZGIyZjQxOTI2NjFjYTQyOTUxMWI2NWFhNzEzMjI0YjUxNzk5YjlkMmYzYWE2ZGY0BALAwA==',
    'base64',
  )
  const read = [...changesIn(entry, (id) => `space ${id}`, codec)]
  t.deepEqual(
    read.map(([ofSpace, { space, key, isItem, seq, pk, value }]) => ({ ofSpace, space, key, isItem, seq, pk, value })),
    [
      {
        ...{ ofSpace: 7, space: 'space 7', key: 'a', isItem: true },
        ...{ seq: 1_717_000_000_000_001, pk: 1_717_000_000_000_000, value: { n: [1, 'x', 2n ** 60n] } },
      },
      {
        ...{ ofSpace: 9, space: 'space 9', key: storedKey('long'.repeat(40)), isItem: false },
        ...{ seq: 2, pk: undefined, value: undefined },
      },
    ],
  )
  await root.close()
})
