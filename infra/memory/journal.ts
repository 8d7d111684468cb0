import type { Codec } from './encode.ts'
import { storedKey } from './records.ts'
import type { StateChange } from './state.ts'
import { isVersion, type Version, versionOf } from './versions.ts'

/** Changes of one append, and the same as bytes, which name spaces by their places in `spaces`. */
export type Changes = {
  readonly changes: readonly Version[]
  readonly spaces: readonly string[]
  readonly bytes: Buffer
}

const members = 6
const [ofItem, ofNew, ofGone] = [1, 2, 4]

/** The members of one change stand behind those of the one before: one long array is encoded sooner than many records. */
export function encodeChanges(given: readonly StateChange[], codec: Codec): Changes {
  const spaces: string[] = []
  const flat: unknown[] = []
  const changes = given.map((change) => {
    const version = isVersion(change) ? change : versionOf(change, storedKey(change.key))
    const { space, key, isItem, seq, pk, value, isNew } = version
    let place = spaces.indexOf(space)
    if (place < 0) place = spaces.push(space) - 1
    const kind = (isItem ? ofItem : 0) + (isNew ? ofNew : 0) + (value === undefined ? ofGone : 0)
    flat.push(place, key, kind, seq, pk ?? null, value ?? null)
    return version
  })
  return { changes, spaces, bytes: codec.encode(flat) }
}

/** The changes of one append, each with the place of its space. */
function* changesOf(
  bytes: Buffer,
  nameOf: (place: number) => string | undefined,
  codec: Codec,
): Generator<readonly [place: number, change: Version]> {
  const flat = codec.decode(bytes) as [number, string, number, number, number | null, unknown]
  for (let at = 0; at < flat.length; at += members) {
    const [place, key, kind, seq, pk, value] = flat.slice(at, at + members) as typeof flat
    const change = {
      space: nameOf(place) ?? '',
      key,
      isItem: (kind & ofItem) !== 0,
      seq,
      pk: pk ?? undefined,
      value: (kind & ofGone) !== 0 ? undefined : value,
      // Some of the journal may be in the records already.
      isNew: false,
    }
    yield [place, versionOf(change, key)]
  }
}

/** The inverse of `encodeChanges`, of whose result `spaces` and `bytes` were kept. */
export const decodeChanges = (spaces: readonly string[], bytes: Buffer, codec: Codec): Changes => ({
  changes: [...changesOf(bytes, (place) => spaces[place], codec)].map(([, change]) => change),
  spaces,
  bytes,
})

/** An entry: of each append the numbers of its spaces, and its bytes. */
export const encodeEntry = (all: readonly Changes[], idOf: (space: string) => number, codec: Codec): Buffer =>
  codec.encode(all.map(({ spaces, bytes }) => [spaces.map(idOf), bytes]))

/** The changes of an entry in their order, with the numbers of their spaces; `nameOf` has those that are there. */
export function* changesIn(
  entry: Buffer,
  nameOf: (id: number) => string | undefined,
  codec: Codec,
): Generator<readonly [ofSpace: number, change: Version]> {
  for (const [ids, bytes] of codec.decode(entry) as [number[], Buffer][]) {
    const idAt = (place: number): number => ids[place] ?? 0
    for (const [place, change] of changesOf(bytes, (place) => nameOf(idAt(place)), codec)) yield [idAt(place), change]
  }
}

/** A place in the journal: entries lie one behind the other. */
export function ordinalKey(ordinal: number): Buffer {
  const key = Buffer.allocUnsafe(8)
  key.writeDoubleBE(ordinal)
  return key
}

/** A run of entries: their changes and bytes, and the bytes by space. */
type Part = { count: number; bytes: number; readonly ofSpaces: Map<number, number>; last: number }
const newPart = (): Part => ({ count: 0, bytes: 0, ofSpaces: new Map(), last: 0 })

/**
 * The journal on the disk: an entry a commit, one behind the other. From time to time the changes of all entries go into
 * the records, while others come behind them; then the entries go, the oldest first. A crash before that leaves entries
 * whose changes are in the records: they are made again in their order, which changes nothing, since all that is younger
 * stands behind them.
 */
export function createJournal() {
  let young = newPart()
  let going: Part | undefined
  /** The entries on the disk are those from `first` on, before `next`. */
  let first = 1
  let next = 1
  let added = 0
  const parts = (): Part[] => (going ? [young, going] : [young])

  return {
    next: (): number => next,
    isEmpty: (): boolean => first === next && !going,
    /** Changes that have come since the start. */
    added: (): number => added,
    /** Changes and bytes that have not begun their way into the records. */
    young: (): Readonly<Pick<Part, 'count' | 'bytes'>> => young,
    bytes: (): number => parts().reduce((sum, { bytes }) => sum + bytes, 0),
    bytesOf: (space: number): number =>
      Math.round(parts().reduce((sum, { ofSpaces }) => sum + (ofSpaces.get(space) ?? 0), 0)),
    /** An entry is on the disk. */
    add(ordinal: number, changes: readonly Pick<Version, 'ofSpace'>[], bytes: number): void {
      if (first === next) first = ordinal
      next = ordinal + 1
      for (const { ofSpace } of changes)
        young.ofSpaces.set(ofSpace, (young.ofSpaces.get(ofSpace) ?? 0) + bytes / changes.length)
      young.count += changes.length
      young.bytes += bytes
      young.last = ordinal
      added += changes.length
    },
    /** A space goes with all that waits of it. */
    drop(space: number): void {
      for (const part of parts()) {
        part.bytes -= part.ofSpaces.get(space) ?? 0
        part.ofSpaces.delete(space)
      }
    },
    /** All that waits begins to go into the records, unless some of it is on its way already. */
    begin(): void {
      if (going) return
      going = young
      young = newPart()
    },
    /** The oldest entries whose changes are in the records, to be taken from the disk. */
    done: (most: number): number[] => {
      const count = Math.min(most, Math.max(0, (going?.last ?? 0) + 1 - first))
      return Array.from({ length: count }, (_, at) => first + at)
    },
    /** The oldest `count` entries have left the disk. */
    removed(count: number): void {
      first += count
    },
    /** All entries have left the disk. */
    end(): void {
      going = undefined
    },
  }
}

export type Journal = ReturnType<typeof createJournal>
