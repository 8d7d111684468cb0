import { strict as assert } from 'node:assert'
import type { Cache } from './cache.ts'
import type { Remembered } from './state.ts'
import {
  committedIn,
  type Entry,
  hasVersions,
  isPending,
  moveVersion,
  push,
  type SpaceEntries,
  topOf,
  unlink,
  type Version,
} from './versions.ts'

const itemOf = ({ seq, pk = Number.NaN, value }: Version): Remembered | undefined =>
  value === undefined ? undefined : { seq, pk, value }

/** The steps of versions as their commits come to the disk, and the versions that wait for the way into the records. */
export function createCommits(cache: Cache) {
  /** Versions that are journalled, in the order of their commits; some have become clean meanwhile. */
  let waiting: Version[] = []
  /** The records that they are of. */
  let records = 0
  /** The last entry of the journal that has gone on its way. */
  let taken = 0

  /** Puts a committed version below those that are pending. */
  function link(version: Version): Entry {
    const { space, key, isItem, seq } = version
    const entry = isItem ? cache.listEntry(space, key) : cache.valueEntry(space, key)
    let lowest: Version | undefined
    for (let each = topOf(entry, seq); each && isPending(each); each = each.below) lowest = each
    if (lowest) {
      version.entry = entry
      version.below = lowest.below
      lowest.below = version
      lowest.before = isItem ? itemOf(version) : version.value
      return entry
    }
    push(entry, version)
    if (!entry.isHeld) return entry
    if (entry.kind === 'list') cache.place(entry, seq, itemOf(version))
    else cache.setValue(entry, version.value)
    return entry
  }

  return {
    /** The version is on the disk: in an entry of the journal, or without one in its record. */
    committed(version: Version, inJournal?: { readonly ofSpace: number; readonly ordinal: number }): void {
      const isOfTurn = version.entry !== undefined
      const entry = version.entry ?? link(version)
      if (isOfTurn) entry.pins--
      entry.home.waits?.committed(entry.key, version.value === undefined ? undefined : version.pk)
      version.before = undefined
      const { below } = version
      if (below) {
        assert.ok(!isPending(below), 'commits come in the order of their turns')
        if (below.state === 'journalled') version.isNew = below.isNew
        moveVersion(below, 'clean')
        // It is among those that wait for a while still.
        below.value = undefined
        version.below = undefined
      }
      if (inJournal) {
        version.ofSpace = inJournal.ofSpace
        version.ordinal = inJournal.ordinal
        moveVersion(version, 'journalled')
        if (!below || below.ordinal <= taken) records++
        waiting.push(version)
        return
      }
      unlink(version)
      moveVersion(version, 'clean')
      if (!isOfTurn && !entry.isHeld) entry.home.isWhole = false
      cache.leave(entry)
    },

    /** The version's entry is off the disk, and its record has it. */
    clean(version: Version): void {
      if (version.state !== 'recorded') return
      const { entry } = version
      unlink(version)
      moveVersion(version, 'clean')
      if (entry) cache.leave(entry)
    },

    /** The versions that wait begin their way into the records. */
    take(): Version[] {
      const taking = waiting
      taken = taking.at(-1)?.ordinal ?? taken
      waiting = []
      records = 0
      return taking
    },
    waiting: (): readonly Version[] => waiting,
    /** The records of which a version waits. */
    records: (): number => records,

    /** Spaces that were taken out of the cache are gone from the disk. */
    dropped(spaces: readonly SpaceEntries[]): void {
      for (const version of versionsIn(spaces)) {
        unlink(version)
        moveVersion(version, 'clean')
      }
    },
    /** Spaces that were taken out of the cache are on the disk still. */
    restored(spaces: readonly SpaceEntries[]): void {
      for (const { name } of spaces) cache.spaceOf(name).isWhole = false
      for (const version of versionsIn(spaces)) {
        unlink(version)
        link(version)
      }
    },
    /** Whether the record has a version that is committed and not off the journal. */
    has(space: string, kept: string, seq: number | undefined): boolean {
      const entry = cache.find(space, kept, seq !== undefined)
      return entry !== undefined && hasVersions(entry) && committedIn(topOf(entry, seq ?? 0)) !== undefined
    },
  }
}

function versionsIn(spaces: readonly SpaceEntries[]): Version[] {
  const found: Version[] = []
  for (const { lists, values } of spaces) {
    const tops = [
      ...[...values.values()].map(({ version }) => version),
      ...[...lists.values()].flatMap(({ versions }) => [...(versions?.values() ?? [])]),
    ]
    for (const top of tops) {
      const version = committedIn(top)
      if (version) found.push(version)
    }
  }
  return found
}

export type Commits = ReturnType<typeof createCommits>
