import type { RootDatabase } from 'lmdb'
import {
  ageKey,
  encodeRecord,
  itemsOf,
  type KeptSpace,
  openRuleTrees,
  type Place,
  placeOf,
  type RuleTrees,
  recordHead,
  recordKey,
  recordValue,
  sizeOf,
} from './records.ts'
import type { Remembered } from './state.ts'
import type { Version } from './versions.ts'

export type Space = { readonly id: number; readonly name: string; bytes: number; dropped: number }

/** Why a record went without a change that asked for it. */
export type Why = 'bound' | 'time' | 'erased'

type Write = { readonly tree: 'records' | 'ages' | 'journal'; readonly key: Buffer; readonly value: Buffer | undefined }
export type Gone = { readonly space: string; readonly place: Place; readonly why: Why; readonly age: number }

/** The writes of one commit. */
export type Plan = {
  readonly writes: Write[]
  readonly spaces: Map<number, KeptSpace | undefined>
  readonly gone: Gone[]
  /** Is called once the commit is on the disk. */
  readonly kept: (() => void)[]
}

export const newPlan = (): Plan => ({ writes: [], spaces: new Map(), gone: [], kept: [] })

const nothing = Buffer.alloc(0)
/**
 * The sweep looks at one old record for each new one, whether it finds it expired or not. So it goes once round the records in
 * the time in which as many new ones come, and the expired records that it has not met yet are at most as many as the live ones.
 */
const looksForNew = 1
/** A write makes a page of a tree anew, and some of those above it. */
const pageBytes = 4096

export const write = (plan: Plan, tree: Write['tree'], key: Buffer, value?: Buffer): unknown =>
  plan.writes.push({ tree, key, value })

/** Room that the writes may need on the disk. */
export const roomFor = ({ writes }: Plan): number =>
  writes.reduce((sum, { value }) => sum + pageBytes + (value?.length ?? 0), 0)

/**
 * The records of spaces, and the bytes that they have, as the commit before has left them: commits come one after the other,
 * and each is planned on that.
 */
export type Disk = {
  readonly trees: RuleTrees
  readonly byName: Map<string, Space>
  readonly byId: Map<number, Space>
  /** Spaces that were dropped and are not empty yet. */
  readonly emptying: Set<number>
  /** The beginnings of spaces' names that are being dropped: they are empty for readers. */
  readonly dropping: Set<{ readonly prefix: string }>
  bytes: number
  nextId: number
  /** The number of records at which the sweep has yet to look, since new ones came. */
  owed: number
}

export function openDisk(root: RootDatabase): Disk {
  const disk: Disk = {
    ...{ trees: openRuleTrees(root), byName: new Map(), byId: new Map(), emptying: new Set(), dropping: new Set() },
    ...{ bytes: 0, nextId: 1, owed: 0 },
  }
  readSpaces(disk)
  return disk
}

/** Takes the spaces as the disk has them, instead of all that was known of them. */
export function readSpaces(disk: Disk): void {
  disk.byName.clear()
  disk.byId.clear()
  disk.emptying.clear()
  disk.bytes = 0
  for (const { key: id, value } of disk.trees.spaces.getRange()) {
    disk.nextId = Math.max(disk.nextId, id + 1)
    if (value.isGone) disk.emptying.add(id)
    else addSpace(disk, { id, name: value.name, bytes: value.bytes, dropped: value.dropped })
  }
}

function addSpace(disk: Disk, space: Space): Space {
  disk.byName.set(space.name, space)
  disk.byId.set(space.id, space)
  disk.bytes += space.bytes
  return space
}

export const spaceOf = (disk: Disk, name: string): Space =>
  disk.byName.get(name) ?? addSpace(disk, { id: disk.nextId++, name, bytes: 0, dropped: 0 })

export const spacesFrom = ({ byName }: Disk, prefix: string): Space[] =>
  [...byName.values()].filter(({ name }) => name.startsWith(prefix))

/** The space of that name, where it has anything for readers. */
export function readable({ byName, dropping }: Disk, name: string): Space | undefined {
  for (const { prefix } of dropping) if (name.startsWith(prefix)) return undefined
  return byName.get(name)
}

export const noteSpace = (plan: Plan, { id, name, bytes, dropped }: Space): unknown =>
  plan.spaces.set(id, { name, bytes, dropped })

function grow(disk: Disk, space: Space, length: number): void {
  space.bytes += length
  disk.bytes += length
}

function put(disk: Disk, plan: Plan, space: Space, version: Version, value: Buffer): void {
  const { key, isItem, seq, pk = Number.NaN, isNew } = version
  const record = recordKey({ space: space.id, key, seq: isItem ? seq : undefined })
  const old = isNew ? undefined : disk.trees.records.getBinaryFast(record)
  const head = { aged: old && !isItem ? recordHead(undefined, old).aged : seq, age: seq, pk }
  const now = encodeRecord(isItem, head, value)
  write(plan, 'records', record, now)
  if (old) grow(disk, space, now.length - old.length)
  else {
    write(plan, 'ages', ageKey(record, seq), nothing)
    grow(disk, space, sizeOf(record, isItem, now))
    disk.owed += looksForNew
  }
}

/** `space` is undefined for a record of one that is gone already. */
export function remove(
  disk: Disk,
  plan: Plan,
  space: Space | undefined,
  record: Buffer,
  seq: number | undefined,
): void {
  const old = disk.trees.records.getBinaryFast(record)
  if (!old) return
  write(plan, 'records', record)
  write(plan, 'ages', ageKey(record, recordHead(seq, old).aged))
  if (space) grow(disk, space, -sizeOf(record, seq !== undefined, old))
}

/** Puts versions into the records, no two of one record. */
export function putVersions(disk: Disk, plan: Plan, versions: Iterable<readonly [Space | undefined, Version]>): void {
  const { codec } = disk.trees
  const touched = new Set<Space>()
  for (const [space, version] of versions) {
    if (!space) continue
    touched.add(space)
    if (version.value !== undefined) put(disk, plan, space, version, codec.encode(version.value))
    else {
      const seq = version.isItem ? version.seq : undefined
      remove(disk, plan, space, recordKey({ space: space.id, key: version.key, seq }), seq)
    }
  }
  for (const space of touched) noteSpace(plan, space)
}

/** Takes a record away without a change that asks for it. */
export function take(disk: Disk, plan: Plan, record: Buffer, age: number, why: Why): void {
  const place = placeOf(record)
  const space = disk.byId.get(place.space)
  remove(disk, plan, space, record, place.seq)
  if (!space) return
  if (why === 'bound') space.dropped++
  noteSpace(plan, space)
  plan.gone.push({ space: space.name, place, why, age })
}

/** Lies in the tree of ages by its own age from now on. */
export function moveAge(plan: Plan, entry: Buffer, record: Buffer, old: Buffer): void {
  const head = recordHead(undefined, old)
  write(plan, 'ages', entry)
  write(plan, 'ages', ageKey(record, head.age), nothing)
  write(plan, 'records', record, encodeRecord(false, { ...head, aged: head.age }, recordValue(false, old)))
}

export function readValue({ trees }: Disk, space: Space, key: string): unknown {
  const found = trees.records.get(recordKey({ space: space.id, key, seq: undefined }))
  return found && trees.codec.decode(recordValue(false, found))
}

export function readItems({ trees }: Disk, space: Space, key: string): Remembered[] {
  const found: Remembered[] = []
  for (const { key: record, value } of trees.records.getRange(itemsOf(space.id, key))) {
    const seq = record.readDoubleBE(record.length - 8)
    found.push({ seq, pk: recordHead(seq, value).pk, value: trees.codec.decode(recordValue(true, value)) })
  }
  return found
}

/** Puts the writes of a plan into the trees. */
export function putAll(trees: RuleTrees, { writes, spaces }: Plan): Set<Promise<boolean>> {
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
}

/** Undoes the same in the same turn of the event loop. */
export function unputAll(trees: RuleTrees, { writes, spaces }: Plan): Set<Promise<boolean>> {
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
}
