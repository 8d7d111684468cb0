import { join } from 'node:path'
import test from 'ava'
import type { RootDatabase } from 'lmdb'
import type { KafkaRecord } from '../../../../infra/log/kafka/partition.ts'
import { placeFrom } from '../../../../infra/log/kafka/rules/task.ts'
import { restoreMemory } from '../../../../infra/log/kafka/rules/task-memory.ts'
import { createTaskNotes, notedPlace, noteText } from '../../../../infra/log/kafka/rules/task-notes.ts'
import type { Transactions } from '../../../../infra/log/kafka/transactions.ts'
import { createTurnLog } from '../../../../infra/log/kafka/turn-log.ts'
import { openRuleTrees } from '../../../../infra/memory/records.ts'
import type { StateChange } from '../../../../infra/memory/state.ts'
import { randomFor } from '../../../support/random/seed.ts'
import { withSmallDisk } from '../../../support/small-disk.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { turnOf } from '../../../support/turn.ts'

/** The partition of a changelog: its records behind `first`. */
function createChangelog() {
  let [first, end] = [0, 0]
  let records: KafkaRecord[] = []
  let isAway = false
  let commits = 0
  let longest = 0
  const transactions: Pick<Transactions, 'commit'> = {
    async commit(outputs, _, placeOf) {
      if (isAway) throw new Error('Kafka is away')
      commits++
      for (const { values } of outputs) for (const { length } of values) longest = Math.max(longest, length)
      const stored = new Map<string, { first: number; last: number }>()
      for (const { topic, values } of outputs) {
        stored.set(topic, { first: end, last: end + values.length - 1 })
        if (topic !== 'memory') continue
        for (const value of values) records.push({ offset: end++, key: null, value, appended_ms: 0 })
        // The record that ends the transaction.
        end++
      }
      placeOf(stored)
    },
  }
  return {
    transactions,
    first: () => first,
    commits: () => commits,
    longest: () => longest,
    truncate: async (offset: number): Promise<void> => {
      first = Math.max(first, offset)
      records = records.filter((record) => record.offset >= first)
    },
    deleted(): void {
      ;[first, end] = [0, 0]
      records = []
    },
    leave(): void {
      isAway = true
    },
    partition: {
      async fetch(at: number) {
        const from = records.filter(({ offset }) => offset >= at).slice(0, 3)
        const next = (from.at(-1)?.offset ?? end - 1) + 1
        return { records: from, next: Math.max(next, at + 1), end }
      },
    },
  }
}

type Changelog = ReturnType<typeof createChangelog>

type Options = {
  readonly minLength: number
  readonly maxBytes?: number
  readonly maxRest_ms?: number
  readonly disk?: string
}

async function open(changelog: Changelog, { minLength, maxBytes = 60_000, maxRest_ms, disk }: Options) {
  const path = join(temporaryFolder(), 'task')
  const restored = await restoreMemory(path, changelog.partition, changelog.first())
  const { root, data, place = { offset: 0, lines: 0 } } = restored
  const taken = createTurnLog({
    ...{ root, data, place, transactions: changelog.transactions },
    ...{ path: disk ?? path, roomOf: () => 1_000_000 },
    notes: { noteMade: () => {} },
    maxBytes: () => maxBytes,
    journalShare: () => 1 / 400,
    target: async (queue) => ({ topic: queue, partition: 0 }),
    memory: { topic: 'memory', partition: 0 },
    turns: { group: 'tasks', topic: 'turns', partition: 0 },
    made: new Map(),
    usage: () => new Map(),
    changelog: { length: restored.length, end: restored.end, truncate: changelog.truncate, minLength },
    ...(maxRest_ms && { maxRest_ms }),
  })
  return { ...taken, restored, root }
}

const contents = (root: RootDatabase) => {
  const { records, ages, spaces, journal } = openRuleTrees(root)
  return {
    records: [...records.getRange()].map(({ key, value }) => [key.toString('hex'), value.toString('hex')]),
    ages: [...ages.getKeys()].map((key) => key.toString('hex')),
    spaces: [...spaces.getRange()].map(({ key, value }) => [key, value]),
    journal: [...journal.getRange()].map(({ key, value }) => [key.toString('hex'), value.toString('hex')]),
  }
}

/** Without room for a journal each change goes to its record at once. */
const rooms = [
  { what: 'in records alone', maxBytes: 60_000, isJournalled: false },
  { what: 'with a journal that goes into them again and again', maxBytes: 2 ** 30, isJournalled: true },
]

for (const { what, maxBytes, isJournalled } of rooms) {
  test(`a task finds the memory that the one before had, ${what}, from a changelog whose beginning was deleted behind checkpoints`, async (t) => {
    const random = randomFor(t)
    const changelog = createChangelog()
    const options = { minLength: 20_000, maxBytes }
    const known = new Map<string, unknown>()
    let seq = 0
    let journalled = 0
    for (let life = 0; life < 4; life++) {
      const { log, close, root, restored, failed, store } = await open(changelog, options)
      failed.catch(() => {})
      t.true(restored.isWhole)
      t.is(restored.lastSeq, seq)
      let offset = restored.place?.offset ?? 0
      for (let round = 0; round < 40; round++) {
        // An append changes no record twice.
        const changes = new Map<string, StateChange>()
        for (let count = random.whole(1, 60); count > 0; count--) {
          const [key, space, isGone] = [
            `k${random.whole(1, 60)}`,
            `s.st/${random.whole(1, 3)}`,
            random.whole(1, 4) === 1,
          ]
          const value = isGone ? undefined : 'v'.repeat(random.whole(1, 200))
          if (random.whole(1, 8) > 1) changes.set(`${space} ${key}`, { space, key, isItem: false, seq: ++seq, value })
          else {
            const place = isGone ? random.whole(1, Math.max(1, seq)) : ++seq
            changes.set(`${space} ${key} ${place}`, { space, key, isItem: true, seq: place, pk: place, value })
          }
        }
        changes.set('last', { space: 's.st/1', key: 'last', isItem: false, seq: ++seq, value: round })
        offset++
        await log.commit(
          turnOf('s.st', Buffer.from('x\n'), 1, { place: { offset, lines: 0 }, changes: [...changes.values()] }),
        )
        for (const { space, key, isItem, value } of changes.values()) if (!isItem) known.set(`${space} ${key}`, value)
        journalled = Math.max(journalled, contents(root).journal.length)
      }
      // Nothing is under way behind it.
      await close()
      const before = contents(root)
      const values = [...known.keys()].map((name) => {
        const [space = '', key = ''] = name.split(' ')
        return [name, store.value(space, key)]
      })
      if (isJournalled) t.deepEqual(values, [...known])
      await root.close()
      const again = await open(changelog, options)
      again.failed.catch(() => {})
      t.deepEqual(contents(again.root), before)
      t.deepEqual(again.restored.place, { offset, lines: 0 })
      const most = 4 * Math.max(100_000, again.store.bytes())
      t.true(again.restored.length < most, `the changelog has ${again.restored.length} bytes`)
      const found = values.map(([name]) => {
        const [space = '', key = ''] = String(name).split(' ')
        return [name, again.store.value(space, key)]
      })
      t.deepEqual(found, values)
      await again.close()
      await again.root.close()
    }
    t.true(changelog.first() > 0, 'the beginning of the changelog was deleted')
    t.is(journalled > 0, isJournalled)
  })
}

test('a commit that Kafka did not take is in no memory that is made anew', async (t) => {
  const changelog = createChangelog()
  const { log, close, root, failed } = await open(changelog, { minLength: 1e9 })
  failed.catch(() => {})
  const change = (key: string, seq: number): StateChange => ({
    ...{ space: 's.st/1', key, isItem: false, seq, value: 'v' },
  })
  const append = (offset: number, key: string) =>
    log.commit(turnOf('s.st', Buffer.from('x\n'), 1, { place: { offset, lines: 0 }, changes: [change(key, offset)] }))
  await append(1, 'kept')
  const before = contents(root)
  changelog.leave()
  await t.throwsAsync(append(2, 'lost'), { message: 'Kafka is away' })
  await close()
  await root.close()
  const again = await restoreMemory(join(temporaryFolder(), 'again'), changelog.partition, changelog.first())
  t.deepEqual(contents(again.root), before)
  t.deepEqual(again.place, { offset: 1, lines: 0 })
  await again.root.close()
})

test('a changelog whose beginning was deleted without a checkpoint is known to lack what was there', async (t) => {
  const changelog = createChangelog()
  const { log, close, root, failed } = await open(changelog, { minLength: 1e9 })
  failed.catch(() => {})
  for (let offset = 1; offset < 4; offset++) {
    const changes: StateChange[] = [{ space: 's.st/1', key: `k${offset}`, isItem: false, seq: offset, value: 'v' }]
    await log.commit(turnOf('s.st', Buffer.from('x\n'), 1, { place: { offset, lines: 0 }, changes }))
  }
  await close()
  await root.close()
  await changelog.truncate(3)
  const again = await open(changelog, { minLength: 1e9 })
  again.failed.catch(() => {})
  t.false(again.restored.isWhole)
  await again.close()
  await again.root.close()
})

test('what comes behind a commit of many rows is committed together, at once where it is waited for', async (t) => {
  const changelog = createChangelog()
  const { log, close, idle, root, failed } = await open(changelog, { minLength: 1e9, maxRest_ms: 600_000 })
  failed.catch(() => {})
  let offset = 0
  const append = (rows: number) =>
    log.commit(turnOf('s.st', Buffer.from('x\n'), rows, { place: { offset: ++offset, lines: 0 } }))
  for (const told of [idle, async () => log.hurry?.()]) {
    const before = changelog.commits()
    await append(600_000)
    const few: Promise<unknown>[] = []
    for (let n = 0; n < 5; n++) {
      few.push(append(1))
      await new Promise(setImmediate)
    }
    t.is(changelog.commits(), before + 1)
    await told()
    await Promise.all(few)
    t.is(changelog.commits(), before + 2)
  }
  await close()
  await root.close()
})

test('a task commits nothing to another changelog that has the name of its own', async (t) => {
  const changelog = createChangelog()
  const first = await open(changelog, { minLength: 1e9 })
  first.failed.catch(() => {})
  const append = (offset: number, { log }: typeof first) =>
    log.commit(turnOf('s.st', Buffer.from('x\n'), 1, { place: { offset, lines: 0 } }))
  await append(1, first)
  await append(2, first)
  changelog.deleted()
  await t.throwsAsync(append(3, first), { message: /topic memory was deleted, and another one has its name/ })
  await first.close()
  await first.root.close()
})

test('where a task is without its memory follows from the note beside its offset', (t) => {
  const note = noteText(new Map([['s.a', [0, 5]]]), new Map(), 3)
  t.deepEqual(notedPlace([{ partition: 1, offset: 9, note }], 1), { offset: 9, lines: 3 })
  t.deepEqual(notedPlace([{ partition: 1, offset: 9, note: '' }], 1), { offset: 9, lines: 0 })
  t.is(notedPlace([{ partition: 1, offset: 9, note }], 0), undefined)
})

test('a task whose next events retention has deleted goes on with the first that are kept', (t) => {
  const place = { offset: 7, lines: 3 }
  t.deepEqual(placeFrom(place, 7), place)
  t.deepEqual(placeFrom(place, 8), { offset: 8, lines: 0 })
  t.deepEqual(placeFrom(undefined, 8), { offset: 8, lines: 0 })
  t.deepEqual(placeFrom(undefined), { offset: 0, lines: 0 })
})

test('the note beside an offset fits a broker however many streams a task writes; what it leaves out is known', (t) => {
  const name = (n: number): string => `${'s'.repeat(58)}${n}`
  for (const count of [3, 30, 1_000]) {
    const made = new Map(Array.from({ length: count }, (_, n) => [`schema.${name(n)}`, [2, 1e9 + n] as const]))
    const usage = new Map(Array.from({ length: count }, (_, n) => [name(n), { bytes: n, dropped: 1 }]))
    const note = noteText(made, usage, 70_000)
    t.true(Buffer.byteLength(note) <= 4_096, `${Buffer.byteLength(note)} bytes`)
    const notes = createTaskNotes()
    notes.take('schema.weir__turns', [{ partition: 2, offset: 5, note }])
    t.deepEqual(notedPlace([{ partition: 2, offset: 5, note }], 2), { offset: 5, lines: 70_000 })
    for (const [queue, [partition, offset]] of made) {
      const told = notes.made(queue).get(partition)
      t.true(told === offset || (told === undefined && notes.leaveOut(queue)), queue)
    }
    t.false(notes.leaveOut(`schema.${name(count - 1)}`), 'the one that was written last')
    t.is(notes.usage('schema.weir__turns').get(name(count - 1))?.bytes, count - 1)
    t.is(notes.leaveOut(`schema.${name(0)}`), count > 30)
  }
})

test('no message of a task is larger than brokers take by default, whatever a commit changed', async (t) => {
  const changelog = createChangelog()
  const options = { minLength: 1e9, maxBytes: 2 ** 30 }
  const { log, close, root, failed } = await open(changelog, options)
  failed.catch(() => {})
  const value = (seed: number) => Array.from({ length: 60 }, (_, n) => `${seed * n}`.repeat(1_000)).join()
  const changes = Array.from(
    { length: 40 },
    (_, seq): StateChange => ({
      space: 's.st/1',
      key: `k${seq}`,
      isItem: false,
      seq,
      value: seq === 7 ? value(1).repeat(20) : value(seq),
    }),
  )
  const lines = Buffer.from(`${'x'.repeat(99_999)}\n`.repeat(30))
  const row = { queue: 's.rows', lines, rows: 30 }
  await log.commit(turnOf('s.st', lines, 30, { place: { offset: 1, lines: 0 }, lines: [row], changes }))
  const before = contents(root)
  await close()
  await root.close()
  t.true(changelog.longest() <= 1_000_000, `${changelog.longest()} bytes`)
  const again = await restoreMemory(join(temporaryFolder(), 'again'), changelog.partition, changelog.first())
  t.deepEqual(contents(again.root).journal, before.journal)
  t.deepEqual(contents(again.root).records, before.records)
  await again.root.close()
})

test('a row that its topic does not take is refused before anything of it is committed', async (t) => {
  const changelog = createChangelog()
  const { log, close, root, failed } = await open(changelog, { minLength: 1e9 })
  failed.catch(() => {})
  const settled: boolean[] = []
  const append = (offset: number, bytes: number) =>
    log.commit(
      turnOf('s.st', Buffer.from(`${'x'.repeat(bytes)}\n`), 1, {
        place: { offset, lines: 0 },
        ...{ changes: [], settled: (isKept) => settled.push(isKept) },
      }),
    )
  await t.throwsAsync(append(1, 1_000_000), { message: /a row for s\.st is too large for its topic/ })
  await append(2, 10)
  t.deepEqual(settled, [false, true])
  await close()
  await root.close()
})

test('a task whose disk is full commits nothing and ends, before its memory would be written', async (t) => {
  const changelog = createChangelog()
  // No byte is free there.
  const { log, close, root, failed } = await open(changelog, { minLength: 1e9, disk: '/proc' })
  const changes = [{ space: 's.st/1', key: 'k', isItem: false, seq: 1, value: 'v' }]
  const appended = log.commit(turnOf('s.st', Buffer.from('x\n'), 1, { place: { offset: 1, lines: 0 }, ...{ changes } }))
  const full = { message: /^0 bytes are free at / }
  await Promise.all([t.throwsAsync(appended, full), t.throwsAsync(failed, full)])
  t.is(changelog.commits(), 0)
  t.deepEqual(contents(root).records, [])
  await close()
  await root.close()
})

withSmallDisk('a memory that is made anew ends with a reason before the disk is full', 32, async (t, disk) => {
  const changelog = createChangelog()
  const { log, close, root, failed } = await open(changelog, { minLength: 1e9, maxBytes: 1e9 })
  failed.catch(() => {})
  for (let offset = 1; offset <= 20; offset++) {
    const change = { space: 's.st/1', key: `k${offset}`, isItem: false, seq: offset, value: 'v'.repeat(800_000) }
    const turn = { place: { offset, lines: 0 }, changes: [change] }
    await log.commit(turnOf('s.st', Buffer.from('x\n'), 1, turn))
  }
  await close()
  await root.close()
  const restoring = restoreMemory(join(disk.folder, 'task'), changelog.partition, changelog.first())
  await t.throwsAsync(restoring, { message: /^\d+ bytes are free at .*, \d+ are needed$/ })
})
