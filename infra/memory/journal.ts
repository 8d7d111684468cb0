import { setImmediate } from 'node:timers/promises'
import type { StateChange } from '../log/port.ts'
import { sortedInSteps } from './in-steps.ts'
import { type Codec, keptKey } from './records.ts'

/** Changes of one append with their kept keys, and the same as bytes, which name spaces by their places in `spaces`. */
export type Journalled = {
  readonly changes: readonly StateChange[]
  readonly spaces: readonly string[]
  readonly bytes: Buffer
}

export type OfSpace = { readonly space: number; readonly change: StateChange }

type Part = {
  readonly spaces: Map<number, Waiting>
  /** Changes, and the records that they are of. */
  count: number
  records: number
  bytes: number
  /** The last entry that it is of. */
  last: number
}
type Lists = Map<string, Map<number, StateChange>>
type Waiting = { readonly values: Map<string, StateChange>; readonly lists: Lists; bytes: number }

const members = 6
const [ofItem, ofNew, ofGone] = [1, 2, 4]

/**
 * The members of one change stand behind those of the one before: one long array is encoded sooner than many records.
 * `keyOf` gives the kept key.
 */
export function encodeJournalled(given: readonly StateChange[], codec: Codec, keyOf = keptKey): Journalled {
  const spaces: string[] = []
  const flat: unknown[] = []
  const changes = given.map((change) => {
    const { space, key, isItem, seq, pk, value, isNew } = change
    let place = spaces.indexOf(space)
    if (place < 0) place = spaces.push(space) - 1
    const kept = keyOf(key)
    const kind = (isItem ? ofItem : 0) + (isNew ? ofNew : 0) + (value === undefined ? ofGone : 0)
    flat.push(place, kept, kind, seq, pk ?? null, value ?? null)
    return kept === key ? change : { ...change, key: kept }
  })
  return { changes, spaces, bytes: codec.encode(flat) }
}

/** An entry: of each append the numbers of its spaces, and its bytes. */
const encodeEntry = (all: readonly Journalled[], idOf: (space: string) => number, codec: Codec): Buffer =>
  codec.encode(all.map(({ spaces, bytes }) => [spaces.map(idOf), bytes]))

/** The changes of one append, each with the place of its space. */
function* changesOf(bytes: Buffer, codec: Codec): Generator<readonly [place: number, change: StateChange]> {
  const flat = codec.decode(bytes) as [number, string, number, number, number | null, unknown]
  for (let at = 0; at < flat.length; at += members) {
    const [place, key, kind, seq, pk, value] = flat.slice(at, at + members) as typeof flat
    const change = {
      space: '',
      key,
      isItem: (kind & ofItem) !== 0,
      seq,
      ...(pk !== null && { pk }),
      value: (kind & ofGone) !== 0 ? undefined : value,
      // Some of the journal may be in the records already.
      isNew: false,
    }
    yield [place, change]
  }
}

/** The changes of an entry in their order. */
function* changesIn(entry: Buffer, codec: Codec): Generator<OfSpace> {
  for (const [ids, bytes] of codec.decode(entry) as [number[], Buffer][]) {
    for (const [place, change] of changesOf(bytes, codec)) yield { space: ids[place] ?? 0, change }
  }
}

/** The inverse of `encodeJournalled`, of whose result `spaces` and `bytes` were kept. */
export function decodeJournalled(spaces: readonly string[], bytes: Buffer, codec: Codec): Journalled {
  const changes = [...changesOf(bytes, codec)].map(([place, change]) => ({ ...change, space: spaces[place] ?? '' }))
  return { changes, spaces, bytes }
}

/** An entry on the disk. */
type Entry = { readonly ordinal: number; readonly bytes: Buffer }

/** The greatest number of a space that entries name, and the greatest `seq`. */
export type Named = { readonly space: number; readonly seq: number }
const nothingNamed: Named = { space: 0, seq: 0 }

/** Changes that are read at once: a few milliseconds. */
const changesAtOnce = 4_000

const newPart = (): Part => ({ spaces: new Map(), count: 0, records: 0, bytes: 0, last: 0 })

/** One that was new when an earlier one of the same record was made is new still. */
export const behind = <Change extends { readonly isNew?: boolean }>(
  before: Change | undefined,
  change: Change,
): Change =>
  before === undefined || before.isNew === change.isNew ? change : { ...change, isNew: before.isNew ?? false }

function note(part: Part, { space, change }: OfSpace, bytes: number): void {
  const { spaces } = part
  let of = spaces.get(space)
  if (!of) {
    of = { values: new Map(), lists: new Map(), bytes: 0 }
    spaces.set(space, of)
  }
  of.bytes += bytes
  const { key, isItem, seq } = change
  let before: StateChange | undefined
  if (!isItem) {
    before = of.values.get(key)
    of.values.set(key, behind(before, change))
  } else {
    const list = of.lists.get(key)
    before = list?.get(seq)
    if (list) list.set(seq, behind(before, change))
    else of.lists.set(key, new Map([[seq, change]]))
  }
  if (!before) part.records++
}

function* lastIn({ values, lists }: Pick<Waiting, 'values' | 'lists'>): Generator<StateChange> {
  yield* values.values()
  for (const list of lists.values()) yield* list.values()
}

const isThere = ({ values, lists }: Waiting, { key, isItem, seq }: StateChange): boolean =>
  isItem ? (lists.get(key)?.has(seq) ?? false) : values.has(key)

/** Time that other work waits while the journal is sorted. */
const stretch_ms = 4

/**
 * The changes of the rules' state that are committed and not yet in its records. On the disk they are entries, one a
 * commit, one behind the other; in memory the last change of each record, so that a read finds it before the record.
 *
 * From time to time all of it goes into the records, in their order. Changes that come meanwhile are apart from it:
 *
 * | | `going` | `young` | entries on the disk |
 * |---|---|---|---|
 * | empty | none | empty | none: a commit may put its changes into the records itself |
 * | waits | none | all changes | of all |
 * | goes | those that were there when it began | those that came since | of both |
 * | is there | the same: records that it names are left alone | those that came since | of both; those of `going` are taken away, the oldest first |
 *
 * A crash leaves entries whose changes are in the records: they are made again in their order, which changes nothing,
 * since all that is younger stands behind them.
 */
export function createRuleJournal(codec: Codec) {
  let young = newPart()
  let going: Part | undefined
  /** The entries on the disk are those from `first` on, before `next`. */
  let first = 1
  let next = 1
  let added = 0

  const parts = (): Part[] => (going ? [young, going] : [young])

  function add(ordinal: number, changes: Iterable<OfSpace>, count: number, bytes: number): void {
    for (const each of changes) note(young, each, bytes / count)
    young.count += count
    young.bytes += bytes
    young.last = ordinal
    added += count
    next = ordinal + 1
  }

  function beginAnew(): void {
    young = newPart()
    going = undefined
    first = next
  }

  function take({ ordinal, bytes }: Entry, { space, seq }: Named): Named {
    if (young.count === 0) first = ordinal
    const changes = [...changesIn(bytes, codec)]
    add(ordinal, changes, changes.length, bytes.length)
    return {
      space: changes.reduce((most, each) => Math.max(most, each.space), space),
      seq: changes.reduce((most, { change }) => Math.max(most, change.seq), seq),
    }
  }

  return {
    isEmpty: (): boolean => first === next && !going && young.count === 0,
    /** All that waits: changes, the records that they are of, bytes. */
    young: (): Pick<Part, 'count' | 'records' | 'bytes'> => young,
    /** Changes that have come since the start. */
    added: (): number => added,
    bytes: (): number => parts().reduce((sum, { bytes }) => sum + bytes, 0),
    bytesOf: (space: number): number =>
      Math.round(parts().reduce((sum, { spaces }) => sum + (spaces.get(space)?.bytes ?? 0), 0)),
    names: (space: number): boolean => parts().some(({ spaces }) => spaces.has(space)),

    /** The entry of a commit; `keep` is called once it is on the disk. */
    entry(all: readonly Journalled[], idOf: (space: string) => number) {
      const ordinal = next
      const ids = new Map(all.flatMap(({ spaces }) => spaces.map((name) => [name, idOf(name)])))
      const bytes = encodeEntry(all, (name) => ids.get(name) ?? 0, codec)
      const count = all.reduce((sum, { changes }) => sum + changes.length, 0)
      function* changes(): Generator<OfSpace> {
        for (const piece of all) for (const change of piece.changes) yield { space: ids.get(change.space) ?? 0, change }
      }
      return { ordinal, bytes, keep: (): void => add(ordinal, changes(), count, bytes.length) }
    },

    /** The last change of a value that stands alone. */
    value(space: number, key: string): StateChange | undefined {
      const [of, before] = [young.spaces.get(space), going?.spaces.get(space)]
      return of?.values.get(key) ?? before?.values.get(key)
    },
    /** The last change of each item of a list, by `seq`. */
    items(space: number, key: string): ReadonlyMap<number, StateChange> | undefined {
      const [of, before] = [young.spaces.get(space)?.lists.get(key), going?.spaces.get(space)?.lists.get(key)]
      return of && before ? new Map([...before, ...of]) : (of ?? before)
    },
    /** The last change of each record of a space. */
    *changesOf(space: number): Generator<StateChange> {
      const [of, before] = [young.spaces.get(space), going?.spaces.get(space)]
      if (of) yield* lastIn(of)
      if (before) for (const change of lastIn(before)) if (!of || !isThere(of, change)) yield change
    },
    has: (space: number, key: string, seq: number | undefined): boolean =>
      parts().some(({ spaces }) => {
        const of = spaces.get(space)
        return seq === undefined ? of?.values.has(key) : of?.lists.get(key)?.has(seq)
      }),

    /** A space goes with all that waits of it. */
    drop(space: number): void {
      for (const part of parts()) {
        part.bytes -= part.spaces.get(space)?.bytes ?? 0
        part.spaces.delete(space)
      }
    },

    /** All that waits begins to go into the records. */
    begin(): Part {
      if (!going) {
        going = young
        young = newPart()
      }
      return going
    },
    /** False where the disk was read anew meanwhile: all of it waits again. */
    goes: (part: Part): boolean => part === going,
    /** The changes of a part in the order of the records; it is sorted in short stretches. */
    async inOrder({ spaces }: Part): Promise<Generator<OfSpace>> {
      let began_ms = performance.now()
      const pause = async (): Promise<void> => {
        if (performance.now() - began_ms < stretch_ms) return
        await setImmediate()
        began_ms = performance.now()
      }
      const sorted: { space: number; keys: readonly string[]; changesOf: (key: string) => Iterable<StateChange> }[] = []
      for (const [space, { values, lists }] of spaces) {
        const ofValue = (key: string): Iterable<StateChange> => {
          const change = values.get(key)
          return change ? [change] : []
        }
        const ofList = (key: string): Iterable<StateChange> => lists.get(key)?.values() ?? []
        sorted.push({ space, keys: await sortedInSteps(values.keys(), pause), changesOf: ofValue })
        sorted.push({ space, keys: await sortedInSteps(lists.keys(), pause), changesOf: ofList })
      }
      return (function* () {
        for (const { space, keys, changesOf } of sorted) {
          for (const key of keys) for (const change of changesOf(key)) yield { space, change }
        }
      })()
    },
    /**
     * The oldest entries of a part that is in the records, to be taken from the disk; `keep` is called once they are. While
     * there are any its changes wait still: a crash would make them again.
     */
    gone(part: Part, most: number) {
      const ordinals: number[] = []
      for (let ordinal = first; ordinal <= part.last && ordinals.length < most; ordinal++) ordinals.push(ordinal)
      const keep = (): void => {
        first += ordinals.length
        if (ordinals.length === 0 && part === going) going = undefined
      }
      return { ordinals, keep }
    },

    /** Takes what the disk has, instead of all that it knew. */
    load(entries: Iterable<Entry>): Named {
      beginAnew()
      let named = nothingNamed
      for (const entry of entries) named = take(entry, named)
      return named
    },
    /** The same, while others have their turn: the journal is not to be read or changed until all is there. */
    async loadInSteps(entries: Iterable<Entry>, pause: () => Promise<unknown>): Promise<Named> {
      beginAnew()
      let named = nothingNamed
      for (const entry of entries) {
        const before = Math.floor(young.count / changesAtOnce)
        named = take(entry, named)
        if (Math.floor(young.count / changesAtOnce) > before) await pause()
      }
      return named
    },
  }
}

export type RuleJournal = ReturnType<typeof createRuleJournal>
