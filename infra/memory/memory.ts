import { fault } from '../../base/faults.ts'
import type { RuleStore, RuleStoreWatcher, StateChange, Together } from '../log/port.ts'
import type { RuleUsage } from '../log/rule-tasks.ts'
import type { Metrics } from '../metrics.ts'
import {
  bytesOf,
  type CacheRoom,
  createStateCache,
  type Entry,
  itemSize,
  type ListEntry,
  placeOf,
  touch,
  type ValueEntry,
} from './cache.ts'
import { isAheadSpace } from './spaces.ts'
import type { EventRecord, Remembered, RuleList, RuleState } from './state.ts'

export type RuleMemoryDeps = {
  readonly store: RuleStore
  readonly metrics: Pick<Metrics, 'rulesDropped'>
  /** The last place in the log that was given out: values that are of no event have it as their age. */
  readonly last: () => number
  /** When the event at hand was acknowledged; `last`, where events have their places as they are acknowledged. */
  readonly now?: () => number
  /** Whether nothing has a use any more for what a space remembers of an event. */
  readonly isForgotten?: (space: string, record: EventRecord, state: RuleState) => boolean
  /** The part of the room for what was asked for of late that is this memory's; 1 where there is no other. */
  readonly share?: () => number
  readonly maxCached?: CacheRoom
}

type Why = Parameters<RuleStoreWatcher['gone']>[3]

/** Items of a list. */
const maxItems = 10_000
const usuallyCached = { items: 500_000, bytes: 96 * 1024 * 1024 }

/** An item that a turn changed, or a value that stands alone, and what was there before the turn. */
type Change =
  | { readonly entry: ListEntry; readonly seq: number; readonly isNew: boolean; before: Remembered | undefined }
  | { readonly entry: ValueEntry; readonly seq: undefined; readonly isNew: boolean; before: unknown }

/**
 * The changes that the events of one turn made, each item's and each value's first one. A turn is open, then uncommitted,
 * then committed or lost. One that is open, or was the last, can be undone; once another has begun upon it all uncommitted
 * ones are lost together.
 */
type Turn = {
  /** The number of the space. */
  readonly id: number
  readonly changes: Change[]
  readonly dropped: Map<string, number>
  isLost: boolean
}

/** The stream whose events a space holds, as metrics name it. */
const streamOf = (space: string): string => space.slice(0, space.indexOf('/'))

/** The memory of rules over its store: what one turn changes is committed with the lines that it made, or undone. */
export function createRuleMemory(deps: RuleMemoryDeps) {
  const {
    store,
    metrics,
    last,
    now = last,
    isForgotten = () => false,
    share = () => 1,
    maxCached = usuallyCached,
  } = deps
  const cache = createStateCache({
    store,
    room: () => ({ items: share() * maxCached.items, bytes: share() * maxCached.bytes }),
  })
  const uncommitted = new Set<Turn>()
  let turns = 0
  let open: Turn | undefined
  /** The turn before the next one begins. */
  let latest: Turn | undefined

  function turn(): Turn {
    if (!open) throw new Error('the state of rules changes within a turn alone')
    return open
  }

  /** Puts an item in its place, or takes it away; returns the one that was there. */
  function place(entry: ListEntry, seq: number, item: Remembered | undefined): Remembered | undefined {
    const { items } = entry
    const at = placeOf(items, seq)
    const before = items[at]?.seq === seq ? items[at] : undefined
    if (item === undefined) {
      if (!before) return undefined
      if (at === 0) items.shift()
      else items.splice(at, 1)
    } else if (before) items[at] = item
    else if (at === items.length) items.push(item)
    else items.splice(at, 0, item)
    const more = (item ? 1 : 0) - (before ? 1 : 0)
    cache.grow(entry, more, (item ? itemSize(item) : 0) - (before ? itemSize(before) : 0))
    return before
  }

  function change(entry: ListEntry, seq: number, item: Remembered | undefined): void {
    const mine = turn()
    const before = place(entry, seq, item)
    if (!before && !item) return
    if (!touch(entry, mine.id, seq)) return
    entry.pins++
    mine.changes.push({ entry, seq, isNew: before === undefined, before })
  }

  function setValue(entry: ValueEntry, value: unknown): void {
    const size = bytesOf(value)
    cache.grow(entry, 0, size - entry.size)
    entry.value = value
    entry.size = size
  }

  const state: RuleState = {
    now,
    value: (space, key) => cache.value(space, key).value,
    set(space, key, value, of) {
      const mine = turn()
      const entry = cache.value(space, key)
      if (entry.value === undefined && value === undefined) return
      entry.of = of
      if (entry.turn !== mine.id) {
        entry.turn = mine.id
        entry.pins++
        mine.changes.push({ entry, seq: undefined, isNew: entry.value === undefined, before: entry.value })
      }
      setValue(entry, value)
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

  /** Puts all that the turn changed back. */
  function revert(turn: Turn): void {
    for (const { entry, seq, before } of turn.changes) {
      if (entry.kind === 'list') place(entry, seq ?? 0, before as Remembered | undefined)
      else setValue(entry, before)
    }
    release(turn)
  }

  function release({ changes }: Turn): void {
    for (const { entry } of changes) entry.pins--
  }

  /** The store does not have what the uncommitted turns are built on: it is asked anew. */
  function loseAll(): void {
    for (const turn of [...uncommitted, ...(open ? [open] : [])]) {
      turn.isLost = true
      for (const { entry } of turn.changes) cache.forget(entry)
    }
    uncommitted.clear()
    latest = undefined
  }

  function countDropped(dropped: Required<Together>['dropped']): void {
    for (const { space, count } of dropped) {
      if (!isAheadSpace(space)) metrics.rulesDropped.inc({ stream: streamOf(space) }, count)
    }
  }

  function settle(turn: Turn, isCommitted: boolean): void {
    if (turn.isLost) return
    if (isCommitted) {
      release(turn)
      countDropped([...turn.dropped].map(([space, count]) => ({ space, count })))
    } else if (turn === latest) revert(turn)
    else loseAll()
    uncommitted.delete(turn)
    if (turn === latest) latest = undefined
  }

  function changesOf(turn: Turn): StateChange[] {
    const changes: StateChange[] = []
    for (const { entry, seq, isNew } of turn.changes) {
      const { space, key } = entry
      if (entry.kind === 'list') {
        const item = itemAt(entry, seq ?? 0)
        if (item || !isNew) changes.push(changeOf(space, key, true, seq ?? 0, item?.pk, item?.value, isNew))
      } else if (entry.value !== undefined || !isNew) {
        const { of, value } = entry
        changes.push(changeOf(space, key, false, of?.seq ?? last(), of?.pk, value, isNew))
      }
    }
    return changes
  }

  function itemAt({ items }: ListEntry, seq: number): Remembered | undefined {
    const item = items[placeOf(items, seq)]
    return item?.seq === seq ? item : undefined
  }

  /** Whether an uncommitted turn changed the item. */
  const isUncommitted = (entry: ListEntry, seq: number): boolean =>
    entry.pins > 0 &&
    [...uncommitted, ...(open ? [open] : [])].some(({ changes }) =>
      changes.some((change) => change.entry === entry && change.seq === seq),
    )

  /** A record went from the disk: what an uncommitted turn changed comes back with it, unless it is erased. */
  function gone(space: string, kept: string, seq: number | undefined, why: Why, age: number): void {
    if (why === 'bound') metrics.rulesDropped.inc({ stream: streamOf(space) })
    const entry: Entry | undefined = cache.held(space, kept, seq === undefined ? 'value' : 'list')
    if (!entry) return
    // No undo brings it back.
    for (const turn of [open, latest]) {
      if (entry.pins === 0 || !turn) continue
      for (const each of turn.changes) if (each.entry === entry && each.seq === seq) each.before = undefined
    }
    if (entry.kind === 'value') {
      if (entry.pins === 0 || (why === 'erased' && entry.of?.seq === age)) setValue(entry, undefined)
    } else if (seq !== undefined && (why === 'erased' || !isUncommitted(entry, seq))) place(entry, seq, undefined)
  }
  /** A look at all records asks for notes of each key once: they are not held for that. */
  const looking: RuleState = { ...state, value: cache.peek }
  store.watch({ isForgotten: (space, seq, pk, key) => isForgotten(space, { seq, pk, key }, looking), gone })

  return {
    state,
    /** Begins a turn: events that are met and committed together. Lists of the turn before are not to be used any more. */
    begin(): void {
      if (open) throw new Error('a turn of the rules is open already')
      latest = undefined
      cache.nextTurn()
      open = { id: ++turns, changes: [], dropped: new Map(), isLost: false }
    },
    /**
     * Ends the turn. All that is returned goes with the append of the turn's lines, in the same turn of the event loop.
     * Throws a fault where a commit failed meanwhile: the events have to be met anew.
     */
    changes(): Required<Omit<Together, 'lines'>> {
      const mine = turn()
      open = undefined
      if (mine.isLost) {
        throw fault('limited', 'the log could not be written, its disk may be full', { retryAfter: 5 })
      }
      latest = mine
      uncommitted.add(mine)
      return {
        changes: changesOf(mine),
        dropped: [...mine.dropped].map(([space, count]) => ({ space, count })),
        settled: (isCommitted) => settle(mine, isCommitted),
      }
    },
    /**
     * Records of spaces that are empty, of which no turn has anything, to be appended in the same turn of the event loop.
     * They may not be asked for before they are committed.
     */
    put({ changes, dropped }: Pick<Required<Together>, 'changes' | 'dropped'>): Together {
      return {
        ...{ lines: [], changes, dropped },
        settled(isCommitted) {
          if (isCommitted) countDropped(dropped)
          // Entries of a space that was empty say that it is.
          for (const space of new Set(changes.map((each) => each.space))) cache.forgetSpaces(space)
        },
      }
    },
    /** Ends the turn that is open as if it had not been; none may be. */
    undo(): void {
      const mine = open
      open = undefined
      if (mine && !mine.isLost) revert(mine)
    },
    /** Bytes on the disk, and events that went past a bound, of each stream of a schema that rules remember. */
    usage(schema: string): Map<string, RuleUsage> {
      const usage = new Map<string, RuleUsage>()
      for (const { space, bytes, dropped } of store.spaces(`${schema}.`)) {
        const stream = streamOf(space).slice(schema.length + 1)
        const before = usage.get(stream) ?? { bytes: 0, dropped: 0 }
        if (!isAheadSpace(space))
          usage.set(stream, { ...before, bytes: before.bytes + bytes, dropped: before.dropped + dropped })
        else if (dropped > 0) usage.set(stream, { ...before, ahead: dropped })
      }
      return usage
    },
    /** The names of a schema's spaces on the disk. */
    spaces: (schema: string): string[] => store.spaces(`${schema}.`).map(({ space }) => space),
    /** Forgets all spaces whose names begin so: one, those of a stream `S.ST/`, or those of a schema `S.`. */
    async drop(prefix: string): Promise<void> {
      cache.forgetSpaces(prefix)
      await store.drop(prefix)
    },
    /** Forgets events of a stream that are erased, in all spaces. Resolves to how many places had one. */
    forget: (schema: string, stream: string, isErased: (seq: number, pk: number) => boolean): Promise<number> =>
      store.forget(`${schema}.${stream}/`, isErased),
    cached: cache.size,
    /** No turn begins for a while: what is past the memory's room goes. */
    rest(): void {
      if (!open) cache.nextTurn()
    },
  }
}

/** All changes have the same members in the same order: a turn has thousands of them, which are gone over several times. */
const changeOf = (
  space: string,
  key: string,
  isItem: boolean,
  seq: number,
  pk: number | undefined,
  value: unknown,
  isNew: boolean,
): StateChange => ({ space, key, isItem, seq, pk, value, isNew })

export type RuleMemory = ReturnType<typeof createRuleMemory>
