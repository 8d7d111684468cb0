import { setImmediate } from 'node:timers/promises'
import type { RootDatabase } from 'lmdb'
import { createMutex } from '../../base/mutex.ts'
import type { KeptItem, RuleStore, RuleStoreWatcher, StateChange } from '../log/port.ts'
import { countOf } from '../log/shared/tree-statistics.ts'
import {
  behind,
  createRuleJournal,
  decodeJournalled,
  encodeJournalled,
  type Journalled,
  type Named,
  type RuleJournal,
} from './journal.ts'
import {
  aged,
  ageKey,
  encodeRecord,
  itemsOf,
  type KeptSpace,
  keptKey,
  openRuleTrees,
  type Place,
  placeOf,
  type RecordHead,
  type RuleTrees,
  recordHead,
  recordKey,
  recordsOf,
  recordValue,
  seqOf,
  sizeOf,
} from './records.ts'

/** A change with its value as bytes; `key` is the kept one. */
export type EncodedChange = Omit<StateChange, 'value' | 'pk' | 'isNew'> & {
  readonly pk: number | undefined
  readonly bytes: Buffer | undefined
  readonly isNew: boolean
}

/** The changes of one append: none of them changes a record twice. */
export type Changes = Journalled | { readonly changes: readonly EncodedChange[]; readonly bytes?: undefined }

/** Changes of the state in one commit, and events that went past a bound. */
export type CommitChanges = {
  readonly changes: readonly Changes[]
  readonly dropped: ReadonlyMap<string, number>
  /** Work on the state as the commit before left it, instead of changes. */
  readonly work?: ((plan: Plan) => void) | undefined
}

export type RuleStateOptions = {
  readonly root: RootDatabase
  /** Past it the oldest records go. */
  readonly maxBytes: () => number
  readonly every_ms?: number
  /** The part of `maxJournalled` that may wait in this journal; without it no change waits. */
  readonly journalShare?: () => number
  /** The journal as the disk has it, where it has been read already. */
  readonly read?: ReadJournal
  /** Runs work in a commit of its own, behind those that wait. */
  readonly commit: (work: (plan: Plan) => void) => Promise<unknown>
}

export type ReadJournal = { readonly journal: RuleJournal; readonly named: Named }

type Space = { readonly id: number; readonly name: string; bytes: number; dropped: number }
type Write = { readonly tree: 'records' | 'ages' | 'journal'; readonly key: Buffer; readonly value: Buffer | undefined }
type Gone = {
  readonly space: string
  readonly place: Place
  readonly why: Parameters<RuleStoreWatcher['gone']>[3]
  readonly age: number
}

/** The writes of one commit. */
export type Plan = {
  readonly writes: Write[]
  readonly spaces: Map<number, KeptSpace | undefined>
  readonly gone: Gone[]
  /** Is called once the commit is on the disk. */
  readonly kept: (() => void)[]
}

const nothing = Buffer.alloc(0)
/** Records that a step looks at: a few milliseconds. */
const stepRecords = 2_000
const maintainEvery_ms = 1_000
/**
 * For each new record the sweep looks at so many others, even where it finds nothing too old among them. So it passes what is
 * needed while no more comes than is needed, and what is too old behind it is at most as much again.
 */
const looksForNew = 1
/** A commit of fewer changes puts each into its record at once, unless others wait in the journal. */
const minJournalled = 16
/** A journal goes into the records once so many wait for it, it has so many bytes or is so old, or where nothing comes to it. */
const maxJournalled = { records: 200_000, bytes: 32 * 1024 * 1024, rounds: 60 }
/** A journal does not begin where so much would go past the bound. */
const journalRoom = 2 * maxJournalled.bytes
/** A write makes a page of a tree anew, and some of those above it. */
const pageBytes = 4096

/** The last change of each record, by space: the changes of an item are found by its `seq`, which few others have. */
function lastOf(lists: readonly (readonly EncodedChange[])[]): Iterable<EncodedChange> {
  const [only] = lists
  if (lists.length === 1 && only) return only
  const bySpace = new Map<string, { items: Map<number, EncodedChange>; others: Map<string, EncodedChange> }>()
  for (const list of lists) {
    for (const change of list) {
      const { space, key, isItem, seq } = change
      let ofSpace = bySpace.get(space)
      if (!ofSpace) {
        ofSpace = { items: new Map(), others: new Map() }
        bySpace.set(space, ofSpace)
      }
      const { items, others } = ofSpace
      const known = isItem ? items.get(seq) : undefined
      if (isItem && (known === undefined || known.key === key)) items.set(seq, behind(known, change))
      else {
        const name = isItem ? `${seq} ${key}` : `- ${key}`
        others.set(name, behind(others.get(name), change))
      }
    }
  }
  return [...bySpace.values()].flatMap(({ items, others }) => [...items.values(), ...others.values()])
}

/** A place in the journal: entries lie one behind the other. */
function ordinalKey(ordinal: number): Buffer {
  const key = Buffer.allocUnsafe(8)
  key.writeDoubleBE(ordinal)
  return key
}

/** The entries of the journal on the disk, in their order. */
export const entriesIn = (tree: RuleTrees['journal']) =>
  tree.getRange().map(({ key, value }) => ({ ordinal: key.readDoubleBE(), bytes: value }))

function upTo<Item>(count: number, items: Iterator<Item>): Item[] {
  const taken: Item[] = []
  for (let item = items.next(); !item.done; item = items.next()) if (taken.push(item.value) >= count) break
  return taken
}

const startsWith = (prefix: string) => (space: { readonly name: string }) => space.name.startsWith(prefix)

/**
 * The state of rules beside the lines of the log, in the same LMDB file. It changes within commits alone, one after the
 * other, so a plan is made on what the commit before has left. Counts of bytes are kept with each commit.
 */
export function createRuleState(options: RuleStateOptions) {
  const { root, maxBytes, every_ms = maintainEvery_ms, journalShare, commit } = options
  const share = journalShare ?? (() => 1)
  const { codec, ...trees } = openRuleTrees(root)
  const { records, ages } = trees
  const journal = options.read?.journal ?? createRuleJournal(codec)
  const exclusively = createMutex()
  const byName = new Map<string, Space>()
  const byId = new Map<number, Space>()
  /** Spaces that were dropped and are not empty yet. */
  const emptying = new Set<number>()
  /** Spaces that are being dropped are empty for readers. */
  const dropping = new Set<{ readonly prefix: string }>()
  let bytes = 0
  let nextId = 1
  let watcher: RuleStoreWatcher = { isForgotten: () => false, gone: () => {} }
  /** So many records are to be looked at for what is too old, since others came. */
  let owed = 0
  let swept: Buffer | undefined
  load(options.read?.named)

  function load(read?: Named): void {
    byName.clear()
    byId.clear()
    emptying.clear()
    bytes = 0
    nextId = 1
    for (const { key: id, value } of trees.spaces.getRange()) {
      nextId = Math.max(nextId, id + 1)
      if (value.isGone) emptying.add(id)
      else add({ id, name: value.name, bytes: value.bytes, dropped: value.dropped })
    }
    // A space that is gone may be named by an entry still: its number comes to no other.
    const { space } = read ?? journal.load(entriesIn(trees.journal))
    nextId = Math.max(nextId, space + 1)
  }

  function add(space: Space): Space {
    byName.set(space.name, space)
    byId.set(space.id, space)
    bytes += space.bytes
    return space
  }

  function grow(space: Space, length: number): void {
    space.bytes += length
    bytes += length
  }

  const spaceOf = (name: string): Space => byName.get(name) ?? add({ id: nextId++, name, bytes: 0, dropped: 0 })

  const note = (plan: Plan, { id, name, bytes, dropped }: Space): unknown =>
    plan.spaces.set(id, { name, bytes, dropped })

  const write = (plan: Plan, tree: Write['tree'], key: Buffer, value?: Buffer): unknown =>
    plan.writes.push({ tree, key, value })

  function put(plan: Plan, space: Space, change: EncodedChange, value: Buffer): void {
    const { key, isItem, seq, pk = Number.NaN, isNew } = change
    const record = recordKey({ space: space.id, key, seq: isItem ? seq : undefined })
    const old = isNew ? undefined : records.getBinaryFast(record)
    const head = { aged: old && !isItem ? recordHead(undefined, old).aged : seq, age: seq, pk }
    const now = encodeRecord(isItem, head, value)
    write(plan, 'records', record, now)
    if (old) grow(space, now.length - old.length)
    else {
      write(plan, 'ages', ageKey(record, seq), nothing)
      grow(space, sizeOf(record, isItem, now))
      owed += looksForNew
    }
  }

  /** `space` is undefined for a record of one that is gone already. */
  function remove(plan: Plan, space: Space | undefined, record: Buffer, seq: number | undefined): void {
    const old = records.getBinaryFast(record)
    if (!old) return
    write(plan, 'records', record)
    write(plan, 'ages', ageKey(record, recordHead(seq, old).aged))
    if (space) grow(space, -sizeOf(record, seq !== undefined, old))
  }

  /** Puts changes into the records, no two of one record. */
  function change(plan: Plan, changes: Iterable<readonly [Space | undefined, EncodedChange]>): void {
    const touched = new Set<Space>()
    for (const [space, each] of changes) {
      if (!space) continue
      touched.add(space)
      if (each.bytes) put(plan, space, each, each.bytes)
      else {
        const seq = each.isItem ? each.seq : undefined
        remove(plan, space, recordKey({ space: space.id, key: each.key, seq }), seq)
      }
    }
    for (const space of touched) note(plan, space)
  }

  /** Whether a change of the record waits in the journal. */
  function isChanged(record: Buffer): boolean {
    if (journal.isEmpty()) return false
    const { space, key, seq } = placeOf(record)
    return journal.has(space, key, seq)
  }

  function take(plan: Plan, record: Buffer, age: number, why: Gone['why']): void {
    const place = placeOf(record)
    const space = byId.get(place.space)
    remove(plan, space, record, place.seq)
    if (!space) return
    if (why === 'bound') space.dropped++
    note(plan, space)
    plan.gone.push({ space: space.name, place, why, age })
  }

  /**
   * Takes away what waits of events that are erased: their removal waits behind it. Only a change that is on its way to a
   * commit can bring one back.
   */
  function takeWaiting(plan: Plan, space: Space, isErased: (seq: number, pk: number) => boolean): number {
    const removals: StateChange[] = []
    for (const { key, isItem, seq, pk, value } of journal.changesOf(space.id)) {
      if (value === undefined || pk === undefined || Number.isNaN(pk) || !isErased(seq, pk)) continue
      removals.push({ space: space.name, key, isItem, seq, pk: undefined, value: undefined, isNew: false })
      const place = { space: space.id, key, seq: isItem ? seq : undefined }
      plan.gone.push({ space: space.name, place, why: 'erased', age: seq })
    }
    if (removals.length > 0) toJournal(plan, [encodeJournalled(removals, codec, (key) => key)])
    return removals.length
  }

  function isForgotten(record: Buffer, head: RecordHead | undefined): boolean {
    const space = byId.get(record.readUInt32BE(0))
    if (!space || !head || Number.isNaN(head.pk)) return false
    return watcher.isForgotten(space.name, head.age, head.pk, placeOf(record).key)
  }

  /** The oldest go, but for records that this commit writes, or whose change waits: those are looked at by a later one. */
  function takeOldest(plan: Plan): void {
    const written = new Set<string>()
    for (const { tree, key } of plan.writes) if (tree === 'records') written.add(key.toString('latin1'))
    for (const entry of ages.getKeys({ limit: stepRecords + 2 * plan.writes.length })) {
      if (bytes <= maxBytes()) return
      const record = aged(entry)
      if (written.has(record.toString('latin1')) || isChanged(record)) continue
      const old = records.get(record)
      const { seq } = placeOf(record)
      const head = old && recordHead(seq, old)
      if (old && head && head.age > head.aged) {
        write(plan, 'ages', entry)
        write(plan, 'ages', ageKey(record, head.age), nothing)
        write(plan, 'records', record, encodeRecord(false, { ...head, aged: head.age }, recordValue(false, old)))
      } else take(plan, record, head?.age ?? 0, isForgotten(record, head) ? 'time' : 'bound')
    }
  }

  async function drop(prefix: string): Promise<void> {
    const mine = { prefix }
    dropping.add(mine)
    await commit((plan) => {
      for (const space of [...byName.values()].filter(startsWith(prefix))) {
        byName.delete(space.name)
        byId.delete(space.id)
        emptying.add(space.id)
        bytes -= space.bytes
        journal.drop(space.id)
        plan.spaces.set(space.id, { name: space.name, bytes: 0, dropped: 0, isGone: true })
      }
      plan.kept.push(() => dropping.delete(mine))
    }).catch((error: unknown) => {
      dropping.delete(mine)
      throw error
    })
  }

  async function empty(id: number): Promise<void> {
    await commit((plan) => {
      const found = [...records.getKeys({ ...recordsOf(id), limit: stepRecords })]
      for (const record of found) remove(plan, undefined, record, placeOf(record).seq)
      if (found.length > 0) return
      plan.spaces.set(id, undefined)
      plan.kept.push(() => emptying.delete(id))
    })
  }

  /**
   * Looks at the next records of a range and takes those that are to go, but for those whose change waits; resolves to
   * how many it took, and to where the range goes on, if it does.
   */
  async function step(
    range: { readonly start?: Buffer; readonly end?: Buffer },
    why: Gone['why'],
    isToGo: (space: Space, seq: number, pk: number, record: Buffer) => boolean,
  ): Promise<{ readonly next: Buffer | undefined; readonly taken: number }> {
    let next: Buffer | undefined
    let taken = 0
    await commit((plan) => {
      let looked = 0
      for (const { key: record, value } of records.getRange({ ...range, limit: stepRecords })) {
        looked++
        next = record
        const space = byId.get(record.readUInt32BE(0))
        const head = recordHead(seqOf(record), value)
        if (!space || Number.isNaN(head.pk) || !isToGo(space, head.age, head.pk, record)) continue
        if (isChanged(record)) continue
        take(plan, record, head.age, why)
        taken++
      }
      if (looked < stepRecords) next = undefined
    })
    return { next: next && Buffer.concat([next, Buffer.alloc(1)]), taken }
  }

  /** Looks at the next records for what is too old, from the first again behind the last; resolves to how many went. */
  async function sweep(): Promise<number> {
    const { next, taken } = await step(swept ? { start: swept } : {}, 'time', (space, seq, pk, record) =>
      watcher.isForgotten(space.name, seq, pk, placeOf(record).key),
    )
    swept = next
    // Records may have gone as they came: none is looked at twice for that.
    owed = Math.min(Math.max(0, owed - stepRecords), countOf(records))
    return next ? taken : 0
  }

  /**
   * Takes what a space has of events that are erased; resolves to how many places had one. The waiting changes go first: a record
   * whose change waits is as that change says.
   */
  async function forgetOnce(space: Space, isErased: (seq: number, pk: number) => boolean): Promise<number> {
    let all = 0
    await commit((plan) => {
      all += takeWaiting(plan, space, isErased)
    })
    const { end, ...from } = recordsOf(space.id)
    for (let start: Buffer | undefined = from.start; start; ) {
      const { next, taken } = await step({ start, end }, 'erased', (_, seq, pk) => isErased(seq, pk))
      start = next
      all += taken
    }
    return all
  }

  /** Brings all that is in the journal, or on its way to it, into the records, in steps between the commits of others. */
  const settle = (): Promise<void> =>
    exclusively(async () => {
      await commit(() => {})
      if (journal.isEmpty()) return
      const part = journal.begin()
      /** Makes commits until one has no more to do, or the disk was read anew: then all of it waits again. */
      async function inCommits(work: (plan: Plan) => boolean): Promise<void> {
        for (let isDone = false; !isDone && journal.goes(part); ) {
          await commit((plan) => {
            if (journal.goes(part)) isDone = work(plan)
          })
          await setImmediate()
        }
      }
      const changes = await journal.inOrder(part)
      let before = journal.added()
      await inCommits((plan) => {
        // More than what came meanwhile: the journal grows shorter however much comes.
        const some = upTo(Math.max(stepRecords, 1.25 * (journal.added() - before)), changes)
        before = journal.added()
        // A record that came and went meanwhile was never there.
        const found = some.filter(({ change: { value, isNew } }) => value !== undefined || !isNew)
        change(
          plan,
          found.map(({ space, change }) => [byId.get(space), encoded(change)]),
        )
        return some.length === 0
      })
      await inCommits((plan) => {
        const { ordinals, keep } = journal.gone(part, stepRecords)
        for (const ordinal of ordinals) write(plan, 'journal', ordinalKey(ordinal))
        plan.kept.push(keep)
        return ordinals.length === 0
      })
    })

  let isClosed = false
  let maintaining: Promise<void> | undefined

  let rounds = 0
  let countBefore = 0

  /** Whether the journal is to go into the records. */
  function isDue(): boolean {
    if (journal.isEmpty()) return false
    const { count } = journal.young()
    const isQuiet = count === countBefore
    countBefore = count
    return isQuiet || isLong() || bytes > maxBytes() || ++rounds >= maxJournalled.rounds
  }

  function isLong(): boolean {
    const { records, bytes } = journal.young()
    return records >= share() * maxJournalled.records || bytes >= share() * maxJournalled.bytes
  }

  async function maintain(): Promise<void> {
    if (isDue()) {
      rounds = 0
      await settle()
    }
    for (const id of [...emptying]) while (emptying.has(id) && !isClosed) await empty(id)
    for (let before = Number.POSITIVE_INFINITY; bytes > maxBytes() && bytes < before && !isClosed; ) {
      before = bytes
      await commit(() => {})
    }
    for (let taken = 1; (taken > 0 || owed >= stepRecords) && byName.size > 0 && !isClosed; ) {
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

  const isReadable = (space: Space | undefined): space is Space =>
    space !== undefined && ![...dropping].some(({ prefix }) => space.name.startsWith(prefix))

  const store: RuleStore = {
    value(name, key) {
      const space = byName.get(name)
      if (!isReadable(space)) return undefined
      const kept = keptKey(key)
      const change = journal.value(space.id, kept)
      if (change) return change.value
      const found = records.get(recordKey({ space: space.id, key: kept, seq: undefined }))
      return found && codec.decode(recordValue(false, found))
    },
    items(name, key) {
      const space = byName.get(name)
      if (!isReadable(space)) return []
      const found: KeptItem[] = []
      const kept = keptKey(key)
      const changed = journal.items(space.id, kept)
      for (const { key: record, value } of records.getRange(itemsOf(space.id, kept))) {
        const seq = record.readDoubleBE(record.length - 8)
        if (changed?.has(seq)) continue
        found.push({ seq, pk: recordHead(seq, value).pk, value: codec.decode(recordValue(true, value)) })
      }
      if (!changed) return found
      for (const { seq, pk = Number.NaN, value } of changed.values()) {
        if (value !== undefined) found.push({ seq, pk, value })
      }
      return found.sort((one, other) => one.seq - other.seq)
    },
    isEmpty(name) {
      const space = byName.get(name)
      return !isReadable(space) || (space.bytes === 0 && !journal.names(space.id))
    },
    spaces: (prefix) =>
      [...byName.values()]
        .filter((space) => isReadable(space) && space.name.startsWith(prefix))
        .map(({ id, name, bytes, dropped }) => ({ space: name, bytes: bytes + journal.bytesOf(id), dropped })),
    bytes: () => bytes + journal.bytes(),
    drop,
    async forget(prefix, isErased) {
      let all = 0
      // Little waits behind it, however much comes.
      await settle()
      // A change that was under way may have brought one back.
      for (let found = 1; found > 0; ) {
        found = 0
        for (const space of [...byName.values()].filter(startsWith(prefix))) found += await forgetOnce(space, isErased)
        all += found
      }
      // Nor is one on the disk any more.
      if (all > 0) await settle()
      return all
    },
    watch: (its) => {
      watcher = its
    },
  }

  // Each member by its name: a commit has thousands of them, and a copy of the rest of an object is slow.
  const encoded = ({ space, key, isItem, seq, pk, value, isNew = false }: StateChange, kept = key): EncodedChange => ({
    space,
    key: kept,
    isItem,
    seq,
    pk,
    bytes: value === undefined ? undefined : codec.encode(value),
    isNew,
  })

  /** Whether changes wait in the journal: where there are many, and where others wait, since they are the later ones. */
  function isToWait(all: readonly Changes[]): all is readonly Journalled[] {
    if (all.length === 0 || !all.every(({ bytes }) => bytes !== undefined)) return false
    if (!journal.isEmpty()) return true
    const count = all.reduce((sum, { changes }) => sum + changes.length, 0)
    return count >= minJournalled && bytes + share() * journalRoom <= maxBytes()
  }

  function toJournal(plan: Plan, all: readonly Journalled[]): void {
    const { ordinal, bytes, keep } = journal.entry(all, (name) => {
      const space = byName.get(name) ?? spaceOf(name)
      note(plan, space)
      return space.id
    })
    write(plan, 'journal', ordinalKey(ordinal), bytes)
    plan.kept.push(() => {
      keep()
      if (isLong()) startMaintaining()
    })
  }

  function toRecords(plan: Plan, all: readonly Changes[]): void {
    const lists = all.map((each) =>
      each.bytes === undefined ? each.changes : each.changes.map((change) => encoded(change)),
    )
    const last = [...lastOf(lists)]
    change(
      plan,
      last.map((each) => [each.bytes ? spaceOf(each.space) : byName.get(each.space), each]),
    )
  }

  return {
    store,
    /** The changes of an append as bytes; throws for those of which none can be made. */
    encode: (changes: readonly StateChange[]): Changes =>
      journalShare
        ? encodeJournalled(changes, codec)
        : { changes: changes.map((each) => encoded(each, keptKey(each.key))) },

    /** The changes of an append of which these bytes were kept. */
    decode: (spaces: readonly string[], bytes: Buffer): Changes => decodeJournalled(spaces, bytes, codec),
    codec,

    /** The writes of a commit, on the state that the one before has left. `kept` or `lost` says what became of them. */
    plan({ changes, dropped, work }: CommitChanges): Plan {
      const plan: Plan = { writes: [], spaces: new Map(), gone: [], kept: [] }
      const areToWait = isToWait(changes)
      if (areToWait) toJournal(plan, changes)
      else toRecords(plan, changes)
      for (const [name, count] of dropped) {
        const space = spaceOf(name)
        space.dropped += count
        note(plan, space)
      }
      work?.(plan)
      // It does not look for records whose changes begin to wait.
      if (bytes > maxBytes() && !areToWait) takeOldest(plan)
      return plan
    },
    /** Room that the writes may need on the disk. */
    roomFor: ({ writes }: Plan): number => writes.reduce((sum, { value }) => sum + pageBytes + (value?.length ?? 0), 0),
    put({ writes, spaces }: Plan): Set<Promise<boolean>> {
      const puts = new Set<Promise<boolean>>()
      let last: Promise<boolean> | undefined
      for (const { tree, key, value } of writes) {
        const put = value ? trees[tree].put(key, value) : trees[tree].remove(key)
        // Writes of one commit have one promise, as a rule.
        if (put !== last) puts.add(put)
        last = put
      }
      for (const [id, space] of spaces) puts.add(space ? trees.spaces.put(id, space) : trees.spaces.remove(id))
      return puts
    },
    /** Undoes a `put` of the same turn. */
    unput({ writes, spaces }: Plan): Set<Promise<boolean>> {
      const puts = new Set<Promise<boolean>>()
      for (const { tree, key } of writes) {
        const before = trees[tree].get(key) // `get` does not find the puts of this turn yet.
        puts.add(before ? trees[tree].put(key, before) : trees[tree].remove(key))
      }
      for (const id of spaces.keys()) {
        const before = trees.spaces.get(id)
        puts.add(before ? trees.spaces.put(id, before) : trees.spaces.remove(id))
      }
      return puts
    },
    kept({ gone, kept }: Plan): void {
      for (const tell of kept) tell()
      for (const { space, place, why, age } of gone) watcher.gone(space, place.key, place.seq, why, age)
    },
    lost: () => load(),
    /** Records on the disk, those of spaces that were dropped among them. */
    count: (): number => countOf(records),
    async close(): Promise<void> {
      isClosed = true
      clearInterval(timer)
      await maintaining
      // A log that cannot be written has its journal at the next start.
      await settle().catch(() => {})
    },
  }
}

export type RuleState = ReturnType<typeof createRuleState>
