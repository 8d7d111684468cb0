import { setImmediate } from 'node:timers/promises'
import { createMutex } from '../../base/mutex.ts'
import { countOf } from '../log/shared/tree-statistics.ts'
import type { Commits } from './commits.ts'
import { type Disk, type Plan, putVersions, remove, take, type Why, write } from './disk.ts'
import { sortedInSteps } from './in-steps.ts'
import { type Journal, ordinalKey } from './journal.ts'
import { placeOf, recordHead, recordsOf, seqOf } from './records.ts'
import { committedIn, moveVersion, type SpaceEntries, type Version } from './versions.ts'

export type UpkeepDeps = {
  readonly disk: Disk
  readonly journal: Journal
  readonly commits: Commits
  /** Past it the oldest records go. */
  readonly maxBytes: () => number
  /** The part of `maxJournalled` that may wait in this journal. */
  readonly share: () => number
  readonly isForgotten: (space: string, seq: number, pk: number, key: string) => boolean
  /** Whether a version of the record waits: it is left alone. */
  readonly isWaiting: (record: Buffer) => boolean
  /** Runs work in a commit of its own, behind those that wait. */
  readonly commit: (work: (plan: Plan) => void) => Promise<unknown>
  readonly every_ms?: number | undefined
}

/** Records that a step looks at: a few milliseconds. */
export const stepRecords = 2_000
const maintainEvery_ms = 1_000
/**
 * The upkeep brings a journal into the records once it has this many records, bytes or rounds, or once nothing more comes to it.
 */
const maxJournalled = { records: 200_000, bytes: 32 * 1024 * 1024, rounds: 60 }
/** A journal does not begin where so much would go past the bound. */
export const journalRoom = 2 * maxJournalled.bytes
/** Work goes on for this long before others have their turn. */
const stretch_ms = 4

function upTo<Item>(count: number, items: Iterator<Item>): Item[] {
  const taken: Item[] = []
  for (let item = items.next(); !item.done; item = items.next()) if (taken.push(item.value) >= count) break
  return taken
}

function createPause() {
  let began_ms = performance.now()
  return async (): Promise<void> => {
    if (performance.now() - began_ms < stretch_ms) return
    await setImmediate()
    began_ms = performance.now()
  }
}

/**
 * The versions of the same records that are journalled when they are asked for, in the order of the records: of a record
 * that has changed meanwhile, the last one that was committed.
 */
async function inOrder(versions: readonly Version[]): Promise<Generator<Version>> {
  const pause = createPause()
  const lists = new Map<SpaceEntries, Set<string>>()
  const values = new Map<SpaceEntries, Set<string>>()
  for (let at = 0; at < versions.length; at += stepRecords) {
    for (const { state, entry, isItem, key } of versions.slice(at, at + stepRecords)) {
      if (state !== 'journalled' || !entry) continue
      const ofKind = isItem ? lists : values
      const keys = ofKind.get(entry.home)
      if (keys) keys.add(key)
      else ofKind.set(entry.home, new Set([key]))
    }
    await pause()
  }
  const sorted: (() => Generator<Version>)[] = []
  for (const [{ values: of }, keys] of values) {
    const inOrder = await sortedInSteps(keys, pause)
    sorted.push(function* () {
      for (const key of inOrder) yield* journalled([of.get(key)?.version])
    })
  }
  for (const [{ lists: of }, keys] of lists) {
    const inOrder = await sortedInSteps(keys, pause)
    sorted.push(function* () {
      for (const key of inOrder) yield* journalled(of.get(key)?.versions?.values() ?? [])
    })
  }
  return (function* () {
    for (const each of sorted) yield* each()
  })()
}

function* journalled(tops: Iterable<Version | undefined>): Generator<Version> {
  for (const top of tops) {
    const version = committedIn(top)
    if (version?.state === 'journalled') yield version
  }
}

/** Work on the records in steps between the commits of others: the journal's way into them, and what has to go from them. */
export function createUpkeep(deps: UpkeepDeps) {
  const { disk, journal, commits, maxBytes, share, isForgotten, isWaiting, commit, every_ms = maintainEvery_ms } = deps
  const { records } = disk.trees
  const exclusively = createMutex()
  /** The versions on their way into the records; they stay where a commit fails. */
  let going: readonly Version[] | undefined
  let swept: Buffer | undefined
  let isClosed = false
  let maintaining: Promise<void> | undefined
  let rounds = 0
  let countBefore = 0

  async function inCommits(work: (plan: Plan) => boolean): Promise<void> {
    for (let isDone = false; !isDone; await setImmediate()) {
      await commit((plan) => {
        isDone = work(plan)
      })
    }
  }

  async function putAll(versions: readonly Version[]): Promise<void> {
    const ordered = await inOrder(versions)
    let before = journal.added()
    await inCommits((plan) => {
      // More than what came meanwhile: the journal grows shorter however much comes.
      const some = upTo(Math.max(stepRecords, 1.25 * (journal.added() - before)), ordered)
      before = journal.added()
      // A record that came and went meanwhile was never there.
      const found = some.filter(({ value, isNew }) => value !== undefined || !isNew)
      putVersions(
        disk,
        plan,
        found.map((version) => [disk.byId.get(version.ofSpace), version]),
      )
      plan.kept.push(() => {
        for (const version of some) moveVersion(version, 'recorded')
      })
      return some.length === 0
    })
  }

  async function removeEntries(versions: readonly Version[]): Promise<void> {
    await inCommits((plan) => {
      const ordinals = journal.done(stepRecords)
      for (const ordinal of ordinals) write(plan, 'journal', ordinalKey(ordinal))
      plan.kept.push(() => journal.removed(ordinals.length))
      return ordinals.length === 0
    })
    const pause = createPause()
    for (let at = 0; at < versions.length; at += stepRecords) {
      for (const version of versions.slice(at, at + stepRecords)) commits.clean(version)
      await pause()
    }
  }

  /** Brings all that is in the journal into the records. */
  const settle = (): Promise<void> =>
    exclusively(async () => {
      await commit(() => {})
      if (journal.isEmpty()) return
      journal.begin()
      going ??= commits.take()
      await putAll(going)
      await removeEntries(going)
      going = undefined
      journal.end()
    })

  async function empty(id: number): Promise<void> {
    await commit((plan) => {
      const found = [...records.getKeys({ ...recordsOf(id), limit: stepRecords })]
      for (const record of found) remove(disk, plan, undefined, record, seqOf(record))
      if (found.length > 0) return
      plan.spaces.set(id, undefined)
      plan.kept.push(() => disk.emptying.delete(id))
    })
  }

  /**
   * Looks at the next records of a range and takes those that are to go, but for those of which a version waits; resolves to
   * how many it took, and to where the range goes on, if it does.
   */
  async function step(
    range: { readonly start?: Buffer; readonly end?: Buffer },
    why: Why,
    isToGo: (space: string, seq: number, pk: number, record: Buffer) => boolean,
  ): Promise<{ readonly next: Buffer | undefined; readonly taken: number }> {
    let next: Buffer | undefined
    let taken = 0
    await commit((plan) => {
      let looked = 0
      for (const { key: record, value } of records.getRange({ ...range, limit: stepRecords })) {
        looked++
        next = record
        const space = disk.byId.get(record.readUInt32BE(0))
        const head = recordHead(seqOf(record), value)
        if (!space || Number.isNaN(head.pk) || !isToGo(space.name, head.age, head.pk, record)) continue
        if (isWaiting(record)) continue
        take(disk, plan, record, head.age, why)
        taken++
      }
      if (looked < stepRecords) next = undefined
    })
    return { next: next && Buffer.concat([next, Buffer.alloc(1)]), taken }
  }

  /** Looks at the next records for what is too old, from the first again behind the last; resolves to how many went. */
  async function sweep(): Promise<number> {
    const { next, taken } = await step(swept ? { start: swept } : {}, 'time', (space, seq, pk, record) =>
      isForgotten(space, seq, pk, placeOf(record).key),
    )
    swept = next
    // Records may have gone as they came: none is looked at twice for that.
    disk.owed = Math.min(Math.max(0, disk.owed - stepRecords), countOf(records))
    return next ? taken : 0
  }

  /** Takes the records of a space that are of events which are erased; resolves to their number. */
  async function erase(id: number, isErased: (seq: number, pk: number) => boolean): Promise<number> {
    let all = 0
    const { end, ...from } = recordsOf(id)
    for (let start: Buffer | undefined = from.start; start; ) {
      const { next, taken } = await step({ start, end }, 'erased', (_, seq, pk) => isErased(seq, pk))
      start = next
      all += taken
    }
    return all
  }

  /** Whether the journal is to go into the records. */
  function isDue(): boolean {
    if (journal.isEmpty()) return false
    const { count } = journal.young()
    const isQuiet = count === countBefore
    countBefore = count
    return isQuiet || isLong() || disk.bytes > maxBytes() || ++rounds >= maxJournalled.rounds
  }

  const isLong = (): boolean =>
    commits.records() >= share() * maxJournalled.records || journal.young().bytes >= share() * maxJournalled.bytes

  async function maintain(): Promise<void> {
    if (isDue()) {
      rounds = 0
      await settle()
    }
    for (const id of [...disk.emptying]) while (disk.emptying.has(id) && !isClosed) await empty(id)
    for (let before = Number.POSITIVE_INFINITY; disk.bytes > maxBytes() && disk.bytes < before && !isClosed; ) {
      before = disk.bytes
      await commit(() => {})
    }
    for (let taken = 1; (taken > 0 || disk.owed >= stepRecords) && disk.byName.size > 0 && !isClosed; ) {
      taken = await sweep()
      // A step that finds nothing writes nothing, and others have their turn all the same.
      await setImmediate()
    }
  }

  function startMaintaining(): void {
    // The next one makes up for one that failed (a full disk).
    maintaining ??= maintain()
      .catch(() => {})
      .finally(() => {
        maintaining = undefined
      })
  }
  const timer = setInterval(startMaintaining, every_ms).unref()

  return {
    settle,
    erase,
    /** The versions that wait, and those that are on their way. */
    waiting: (): readonly Version[] => [...(going ?? []), ...commits.waiting()],
    /** The journal has grown. */
    grown(): void {
      if (isLong()) startMaintaining()
    },
    async close(): Promise<void> {
      isClosed = true
      clearInterval(timer)
      await maintaining
      // A log that cannot be written has its journal at the next start.
      await settle().catch(() => {})
    },
  }
}

export type Upkeep = ReturnType<typeof createUpkeep>
