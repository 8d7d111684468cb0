import { strict as assert } from 'node:assert'
import { move, type States } from '../../base/states.ts'
import type { Remembered, StateChange } from './state.ts'
import type { OpenWaits } from './waits.ts'

export type VersionState = 'changed' | 'uncommitted' | 'journalled' | 'recorded' | 'clean'

/**
 * A version of a record is what one turn has made of it. Versions of one record stand in a chain, the youngest on top: at
 * most one that is changed, then those that are uncommitted in the order of their turns, then at most one that is
 * journalled or recorded. Below the chain is the record itself, which LMDB has.
 *
 * | State | What holds | What leads on | What a crash leaves |
 * |---|---|---|---|
 * | changed | The open turn made the version, and may change it again. Its entry stays in the cache. | The end of the turn makes it uncommitted; an undo, or a turn after which nothing is there that was not there before, makes it clean. | Nothing of the turn. |
 * | uncommitted | The turn was appended with its lines. The value does not change. Its entry stays in the cache. | A commit makes it journalled, or clean where it has put the value into the record; a commit that fails makes it clean. | The lines, with what the commit made of the version, or neither. |
 * | journalled | An entry of the journal on the disk has the version, and the record is older. | The way into the records makes it recorded; a younger version that is committed, or the end of its space, makes it clean. | The entry: the next start makes the version journalled. |
 * | recorded | The record has the version, and so has an entry on the disk, which a crash would bring back: sweeps leave such a record alone. | The entry goes from the disk, a younger version is committed, or the space ends: it is clean. | Both: the next start makes the version journalled, and puts the same value into the record again. |
 * | clean | The version is in no chain. | - | What the record says. |
 */
const versionStates: States<VersionState> = {
  changed: ['uncommitted', 'clean'],
  uncommitted: ['journalled', 'clean'],
  journalled: ['recorded', 'clean'],
  recorded: ['clean'],
  clean: [],
}

/** A version is a change of the state, as the log takes it: the log gives it back once the change is on the disk. */
export type Version = {
  state: VersionState
  readonly space: string
  /** The key as it is kept. */
  readonly key: string
  readonly isItem: boolean
  seq: number
  pk: number | undefined
  value: unknown
  /** Whether the records have none of its record. */
  isNew: boolean
  /** Undefined before a commit has brought a version that no turn of the memory made. */
  entry: Entry | undefined
  below: Version | undefined
  /** An item, or a value that stands alone, that an undo brings back. */
  before: unknown
  /** The number of its space, and of its entry in the journal, once it is journalled. */
  ofSpace: number
  ordinal: number
}

type OfEntry = {
  readonly home: SpaceEntries
  /** The key as it is kept. */
  readonly key: string
  /** Versions that are changed or uncommitted: while there are any the entry is held. */
  pins: number
  /** The turn that asked for it last, and the one in which that was looked at last. */
  used: number
  looked: number
  /** Whether it has all that a reader asks for; otherwise it has versions alone. */
  isHeld: boolean
  bytes: number
}
/** The items of one key as the youngest versions have them. */
export type ListEntry = OfEntry & {
  readonly kind: 'list'
  items: Remembered[]
  /** The youngest version of each item that has any, by `seq`. */
  versions: Map<number, Version> | undefined
}
/** The value of one key as the youngest version has it. */
export type ValueEntry = OfEntry & {
  readonly kind: 'value'
  value: unknown
  /** Bytes of the value. */
  size: number
  /** The event that the value is of. */
  of: { readonly seq: number; readonly pk: number } | undefined
  version: Version | undefined
}
export type Entry = ListEntry | ValueEntry

/** The entries of a space. */
export type SpaceEntries = {
  readonly name: string
  readonly lists: Map<string, ListEntry>
  readonly values: Map<string, ValueEntry>
  /** Whether the records have nothing of the space that has no entry here. */
  isWhole: boolean
  /** The order of its waits, where it has such. */
  readonly waits: OpenWaits | undefined
}

/** All versions have the same members in the same order: a turn has thousands of them, which are gone over several times. */
export const newVersion = (
  state: VersionState,
  space: string,
  key: string,
  isItem: boolean,
  seq: number,
  isNew: boolean,
): Version => ({
  state,
  space,
  key,
  isItem,
  seq,
  pk: undefined,
  value: undefined,
  isNew,
  entry: undefined,
  below: undefined,
  before: undefined,
  ofSpace: 0,
  ordinal: 0,
})

/** A change that no turn of the memory made, on its way to a commit. */
export function versionOf({ space, isItem, seq, pk, value, isNew = false }: StateChange, key: string): Version {
  const version = newVersion('uncommitted', space, key, isItem, seq, isNew)
  version.pk = pk
  version.value = value
  return version
}

export const isVersion = (change: StateChange): change is Version => 'state' in change

export const moveVersion = (version: Version, state: VersionState): void =>
  move(versionStates, version, state, 'a version')

/** Whether the version is not on the disk. */
export const isPending = ({ state }: Version): boolean => state === 'changed' || state === 'uncommitted'

export const topOf = (entry: Entry, seq: number): Version | undefined =>
  entry.kind === 'list' ? entry.versions?.get(seq) : entry.version

/** The version of a chain that the last commit left. */
export function committedIn(top: Version | undefined): Version | undefined {
  let version = top
  while (version && isPending(version)) version = version.below
  return version
}

function setTop(entry: Entry, seq: number, version: Version | undefined): void {
  if (entry.kind === 'value') entry.version = version
  else if (version) {
    entry.versions ??= new Map()
    entry.versions.set(seq, version)
  } else if (entry.versions?.delete(seq) && entry.versions.size === 0) entry.versions = undefined
}

export const hasVersions = (entry: Entry): boolean =>
  (entry.kind === 'list' ? entry.versions : entry.version) !== undefined

/** Puts a version on top of its chain. */
export function push(entry: Entry, version: Version): void {
  version.entry = entry
  version.below = topOf(entry, version.seq)
  setTop(entry, version.seq, version)
}

/** Takes a version out of its chain. */
export function unlink(version: Version): void {
  const { entry } = version
  if (!entry) return
  const top = topOf(entry, version.seq)
  if (top === version) setTop(entry, version.seq, version.below)
  else {
    let above = top
    while (above && above.below !== version) above = above.below
    assert.ok(above, 'a version is in its chain')
    above.below = version.below
  }
  version.below = undefined
  version.before = undefined
}
