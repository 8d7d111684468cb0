import { strict as assert } from 'node:assert'
import { fault } from '../../base/faults.ts'
import type { TurnCommit } from '../log/port.ts'
import type { Metrics } from '../metrics.ts'
import { type Cache, type CacheRoom, placeOf } from './cache.ts'
import type { Why } from './disk.ts'
import { isAheadSpace } from './spaces.ts'
import type { EventRecord, Remembered, RuleList, RuleState, RuleUsage } from './state.ts'
import type { RuleStore } from './store.ts'
import {
  type Entry,
  isPending,
  type ListEntry,
  moveVersion,
  newVersion,
  push,
  topOf,
  unlink,
  type Version,
} from './versions.ts'

export type RuleMemoryDeps = {
  readonly store: RuleStore
  readonly metrics: Pick<Metrics, 'rulesDropped'>
  /** The last place in the log that was given out: values that are of no event have it as their age. */
  readonly last: () => number
  /** When the event at hand was acknowledged; `last`, where events have their places as they are acknowledged. */
  readonly now?: () => number
  /** The same by a clock that neither stands still nor jumps. */
  readonly came?: () => number
  /** Whether nothing has a use any more for what a space remembers of an event. */
  readonly isForgotten?: (space: string, record: EventRecord, state: RuleState) => boolean
  /** The part of the room for what was asked for of late that is this memory's; 1 where there is no other. */
  readonly share?: () => number
  readonly maxCached?: CacheRoom
}

/** The changes of a turn, to be committed with its lines in the same turn of the event loop. */
export type TurnChanges = Required<Pick<TurnCommit, 'changes' | 'dropped' | 'settled'>>

/** Items of a list. */
const maxItems = 10_000
const usuallyCached = { items: 500_000, bytes: 96 * 1024 * 1024 }

/**
 * The versions that the events of one turn made. A turn is open, then uncommitted, then committed or lost. One that is open,
 * or was the last, can be undone; once another has begun upon it all uncommitted ones are lost together.
 */
type Turn = {
  versions: Version[]
  readonly dropped: Map<string, number>
  isLost: boolean
}

/** The stream whose events a space holds, as metrics name it. */
const streamOf = (space: string): string => space.slice(0, space.indexOf('/'))

const lostFault = () => fault('limited', 'the log could not be written, its disk may be full', { retryAfter: 5 })

/** Takes a version that no commit will bring to the disk out of its chain. */
function cancel(version: Version): Entry {
  const { entry } = version
  assert.ok(entry, 'a version of a turn has an entry')
  unlink(version)
  moveVersion(version, 'clean')
  entry.pins--
  return entry
}

/** Puts all that a turn changed back: its versions are on top of their chains. */
function revert(cache: Cache, { versions }: Turn): void {
  for (const version of versions) {
    const { before, seq } = version
    const entry = cancel(version)
    if (!entry.isHeld) cache.leave(entry)
    else if (entry.kind === 'list') cache.place(entry, seq, before as Remembered | undefined)
    else cache.setValue(entry, before)
  }
}

/** The changes of a turn that ends, without what came and went in it. */
function changesOf({ versions }: Turn, last: () => number): Version[] {
  const changes: Version[] = []
  for (const version of versions) {
    const { entry, isItem, value, isNew } = version
    if (value === undefined && isNew) {
      cancel(version)
      continue
    }
    if (!isItem && entry?.kind === 'value') {
      version.seq = entry.of?.seq ?? last()
      version.pk = entry.of?.pk
    }
    moveVersion(version, 'uncommitted')
    changes.push(version)
  }
  return changes
}

function usageOf(store: RuleStore, schema: string): Map<string, RuleUsage> {
  const usage = new Map<string, RuleUsage>()
  for (const { space, bytes, dropped } of store.spaces(`${schema}.`)) {
    const stream = streamOf(space).slice(schema.length + 1)
    const before = usage.get(stream) ?? { bytes: 0, dropped: 0 }
    const waiting = (before.waiting ?? 0) + store.cache.waits.orderOf(space).size
    if (!isAheadSpace(space))
      usage.set(stream, {
        ...{ ...before, bytes: before.bytes + bytes, dropped: before.dropped + dropped },
        ...(waiting > 0 && { waiting }),
      })
    else if (dropped > 0) usage.set(stream, { ...before, ahead: dropped })
  }
  return usage
}

/** The memory of rules over its store: what one turn changes is committed with the lines that it made, or undone. */
export function createRuleMemory(deps: RuleMemoryDeps) {
  const { store, metrics, last, now = last, came = now, isForgotten = () => false } = deps
  const { share = () => 1, maxCached = usuallyCached } = deps
  const { cache } = store
  const uncommitted = new Set<Turn>()
  let open: Turn | undefined
  /** The turn before the next one begins. */
  let latest: Turn | undefined

  function turn(): Turn {
    if (!open) throw new Error('the state of rules changes within a turn alone')
    if (open.isLost) throw lostFault()
    return open
  }

  /** The version of the open turn, made where there is none yet. */
  function versionIn(turn: Turn, entry: Entry, seq: number, before: unknown): Version {
    const top = topOf(entry, seq)
    if (top?.state === 'changed') return top
    const { home, key, kind } = entry
    const version = newVersion('changed', home.name, key, kind === 'list', seq, before === undefined)
    version.before = before
    push(entry, version)
    entry.pins++
    turn.versions.push(version)
    return version
  }

  function change(entry: ListEntry, seq: number, item: Remembered | undefined): void {
    const mine = turn()
    const before = cache.place(entry, seq, item)
    if (!before && !item) return
    const version = versionIn(mine, entry, seq, before)
    version.pk = item?.pk
    version.value = item?.value
  }

  const state: RuleState = {
    now,
    came,
    value: (space, key) => cache.value(space, key).value,
    set(space, key, value, of) {
      const mine = turn()
      const entry = cache.value(space, key)
      if (entry.value === undefined && value === undefined) return
      entry.of = of
      versionIn(mine, entry, 0, entry.value).value = value
      cache.setValue(entry, value)
    },
    list(space, key): RuleList {
      const entry = cache.list(space, key)
      const { items } = entry
      return {
        items,
        add(item) {
          change(entry, item.seq, item)
          const [oldest] = items
          if (items.length <= maxItems || !oldest) return
          change(entry, oldest.seq, undefined)
          state.dropped(space, 1)
        },
        remove: ({ seq }) => change(entry, seq, undefined),
        replace(item) {
          if (items[placeOf(items, item.seq)]?.seq === item.seq) change(entry, item.seq, item)
        },
      }
    },
    dropped(space, count) {
      const { dropped } = turn()
      dropped.set(space, (dropped.get(space) ?? 0) + count)
    },
  }

  /** The disk does not have what the uncommitted turns are built on: readers ask it anew. */
  function loseAll(): void {
    const turns = [...uncommitted, ...(open ? [open] : [])]
    const entries = new Set<Entry>()
    for (const turn of turns.reverse()) {
      turn.isLost = true
      for (const version of turn.versions) entries.add(cancel(version))
    }
    for (const entry of entries) {
      cache.forget(entry)
      cache.leave(entry)
    }
    uncommitted.clear()
    latest = undefined
  }

  function countDropped(dropped: TurnChanges['dropped']): void {
    for (const { space, count } of dropped) {
      if (!isAheadSpace(space)) metrics.rulesDropped.inc({ stream: streamOf(space) }, count)
    }
  }

  const droppedIn = ({ dropped }: Turn) => [...dropped].map(([space, count]) => ({ space, count }))

  /** The store has the versions of a turn that is committed as such already. */
  function settle(turn: Turn, isCommitted: boolean): void {
    if (turn.isLost) return
    if (isCommitted) countDropped(droppedIn(turn))
    else if (turn === latest) revert(cache, turn)
    else loseAll()
    uncommitted.delete(turn)
    if (turn === latest) latest = undefined
  }

  /** A record went from the disk: what a pending version has made of it stays, unless its event is erased. */
  function gone(space: string, kept: string, seq: number | undefined, why: Why, age: number): void {
    if (why === 'bound') metrics.rulesDropped.inc({ stream: streamOf(space) })
    const entry = cache.find(space, kept, seq !== undefined)
    if (!entry?.isHeld) return
    const top = topOf(entry, seq ?? 0)
    const isPinned = top !== undefined && isPending(top)
    // No undo brings it back.
    for (let each = top; each && isPending(each); each = each.below)
      if (!each.below || !isPending(each.below)) each.before = undefined
    if (entry.kind === 'list') {
      if (why === 'erased' || !isPinned) cache.place(entry, seq ?? 0, undefined)
    } else if (!isPinned || (why === 'erased' && entry.of?.seq === age)) cache.setValue(entry, undefined)
  }

  const room = (): CacheRoom => ({ items: share() * maxCached.items, bytes: share() * maxCached.bytes })
  /** A look at all records asks for notes of each key once: they are not held for that. */
  const looking: RuleState = { ...state, value: cache.peek }
  store.watch({ isForgotten: (space, seq, pk, key) => isForgotten(space, { seq, pk, key }, looking), gone })

  return {
    state,
    /** Begins a turn: events that are met and committed together. Lists of the turn before are not to be used any more. */
    begin(): void {
      if (open) throw new Error('a turn of the rules is open already')
      latest = undefined
      cache.nextTurn(room())
      open = { versions: [], dropped: new Map(), isLost: false }
    },
    /**
     * Ends the turn. All that is returned goes with the append of the turn's lines, in the same turn of the event loop.
     * Throws a fault where a commit failed meanwhile: the events have to be met anew.
     */
    changes(): TurnChanges {
      const mine = open
      open = undefined
      if (!mine) throw new Error('no turn of the rules is open')
      if (mine.isLost) throw lostFault()
      latest = mine
      uncommitted.add(mine)
      mine.versions = changesOf(mine, last)
      return { changes: mine.versions, dropped: droppedIn(mine), settled: (isCommitted) => settle(mine, isCommitted) }
    },
    /**
     * Records of spaces that are empty, of which no turn has anything, to be appended in the same turn of the event loop.
     * They may not be asked for before they are committed.
     */
    put({ changes, dropped }: Pick<TurnChanges, 'changes' | 'dropped'>): TurnChanges {
      return { changes, dropped, settled: (isCommitted) => isCommitted && countDropped(dropped) }
    },
    /** Ends the turn that is open as if it had not been; none may be. */
    undo(): void {
      const mine = open
      open = undefined
      if (mine && !mine.isLost) revert(cache, mine)
    },
    /** Bytes on the disk, and events that went past a bound, of each stream of a schema that rules remember. */
    usage: (schema: string): Map<string, RuleUsage> => usageOf(store, schema),
    /** The waits of a space, as the last commit has left them. */
    waits: store.cache.waits.orderOf,
    /** The names of a schema's spaces on the disk. */
    spaces: (schema: string): string[] => store.spaces(`${schema}.`).map(({ space }) => space),
    /** Forgets all spaces whose names begin so: one, those of a stream `S.ST/`, or those of a schema `S.`. */
    async drop(prefix: string): Promise<void> {
      assert.ok(!open, 'no turn is open while spaces are dropped')
      await store.drop(prefix)
    },
    /** Forgets events of a stream that are erased, in all spaces. Resolves to how many places had one. */
    forget: (schema: string, stream: string, isErased: (seq: number, pk: number) => boolean): Promise<number> =>
      store.forget(`${schema}.${stream}/`, isErased),
    cached: cache.size,
    /** Called when no turn begins for a while: evicts entries beyond the memory's room. */
    rest(): void {
      if (!open) cache.nextTurn(room())
    },
  }
}

export type RuleMemory = ReturnType<typeof createRuleMemory>
