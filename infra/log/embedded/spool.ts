import { randomUUID } from 'node:crypto'
import { statfsSync } from 'node:fs'
import type { Database, RootDatabase } from 'lmdb'
import { z } from 'zod'
import type { Codec } from '../../memory/encode.ts'
import type { KeyedAnswer } from '../port.ts'
import type { Commit } from '../shared/commit.ts'

/** A commit as it is kept until it is shipped, and as a restore commits it again. */
export type ShippedCommit = {
  /** When it was written, by the computer's clock: its events are acknowledged a moment later. */
  readonly at_us: number
  /** Another number after each change of a table's definition. */
  readonly shape: number
  readonly queues: readonly {
    readonly queue: string
    readonly rows: number
    readonly lines: Buffer
    readonly answers: readonly KeyedAnswer[]
  }[]
  /** Changes of the rules' state, by append: names of spaces, and the changes as bytes. */
  readonly changes: readonly (readonly [spaces: readonly string[], bytes: Buffer])[]
  readonly dropped: readonly (readonly [space: string, count: number])[]
}

/** A run of commits without a gap, which begins behind a position and goes to one place. */
const line = z.object({ to: z.string(), lineage: z.string(), shipped: z.number() })
export type ShippedLine = z.infer<typeof line>

/** Names in the log's trees `state` and `notes`: the last shipped commit, and the shape of the log. */
export const [committedName, shapeName] = ['committed', 'shape'] as const
const lineName = 'shipped to'
/** The last part of the names of all lines of a data folder, and the place that took a copy of it: empty until one did. */
const [familyName, placeName] = ['ships as', 'copied to'] as const

/** The run that a log's commits belong to, by its notes. */
export function shippedLine(notes: Database<string, string>): ShippedLine | undefined {
  const text = notes.get(lineName)
  return text === undefined ? undefined : line.safeParse(JSON.parse(text)).data
}

/**
 * Ends what the log of a data folder says of its shipping: of a restored folder, whose commits would else go on in the line of
 * the folder that was backed up. A service that starts on it begins a line of its own.
 */
export function leaveLine(root: RootDatabase): void {
  const notes: Database<string, string> = root.openDB({ name: 'notes' })
  const tree: Database<Buffer, [number, number]> = root.openDB({ name: 'shipping', encoding: 'binary' })
  root.transactionSync(() => {
    for (const name of [lineName, familyName, placeName]) if (notes.get(name) !== undefined) void notes.remove(name)
    clear(tree)
  })
}

function clear(tree: Database<Buffer, [number, number]>): void {
  for (const key of [...tree.getKeys()]) void tree.remove(key)
}

/** Room that commits which wait leave on the disk to new ones: more than `needRoom` asks for. */
const leftFree = 1024 * 1024 * 1024
const leftShare = 1 / 20
/** Bytes between two looks at the disk. */
const lookBytes = 16 * 1024 * 1024

export type SpoolOptions = {
  readonly root: RootDatabase
  readonly path: string
  /** Where commits go; undefined where none are shipped. */
  readonly to: string | undefined
  /** Commits that wait may have so many bytes; past it they are forgotten, and the next copy begins a new line. */
  readonly maxBytes: number
  readonly state: Database<number, string>
  readonly notes: Database<string, string>
  readonly codec: Codec
  readonly now_us?: () => number
}

/**
 * Commits that are not shipped yet, in the same LMDB file and the same transactions as the commits themselves: a kill leaves
 * no gap between the two. Ingest never waits for shipping: where too much waits, all of it is forgotten.
 */
export function createSpool(options: SpoolOptions) {
  const { root, path, to, maxBytes, state, notes, codec, now_us = () => Date.now() * 1000 } = options
  const tree: Database<Buffer, [number, number]> = root.openDB({ name: 'shipping', encoding: 'binary' })
  const family = notes.get(familyName) ?? shippedLine(notes)?.lineage.split('-')[1] ?? randomUUID().slice(0, 8)
  let current = load()
  let last = Math.max(state.get(committedName) ?? 0, current?.shipped ?? 0)
  let shape = state.get(shapeName) ?? 0
  let bytes = 0
  let looked = 0
  let isLow = false
  let latest_us = 0
  for (const [, length] of tree.getKeys()) bytes += length

  /** Commits of a run that ended, or that went elsewhere, are of no use. */
  function load(): ShippedLine | undefined {
    const found = shippedLine(notes)
    if (found !== undefined && found.to === to) {
      // A line that an earlier version began, which noted no copies.
      if (notes.get(placeName) === undefined) root.transactionSync(() => void notes.put(placeName, found.to))
      return found
    }
    root.transactionSync(() => {
      if (found) void notes.remove(lineName)
      clear(tree)
    })
    return undefined
  }

  /** Looks at the disk now and then: a look for each commit would cost as much as the commit. */
  function isFull(length: number): boolean {
    looked += length
    if (looked > lookBytes || isLow) {
      looked = 0
      const { bavail, blocks, bsize } = statfsSync(path)
      isLow = bavail * bsize < Math.min(leftFree, blocks * bsize * leftShare)
    }
    return isLow || bytes + length > maxBytes
  }

  /** Does not go back where the computer's clock does: a restore cuts by it. */
  function timeOf(): number {
    latest_us = Math.max(latest_us, now_us())
    return latest_us
  }

  /** A line that has ended is noted until the disk has it: a start that went on with it would leave a gap. */
  function endLine(): Promise<boolean>[] {
    if (notes.get(lineName) === undefined) return []
    return [notes.remove(lineName), tree.clearAsync().then(() => true)]
  }

  function encode(commit: Commit): Buffer {
    const kept: ShippedCommit = {
      at_us: timeOf(),
      shape,
      queues: [...commit.queues].map(([queue, { lines, rows, answers }]) => ({
        queue,
        rows,
        lines: Buffer.concat(lines),
        answers: answers.map(({ key, answer, seq }) => ({ key, answer, seq })),
      })),
      changes: commit.changes.flatMap((each) => (each.bytes === undefined ? [] : [[each.spaces, each.bytes] as const])),
      dropped: [...commit.dropped],
    }
    return codec.encode(kept)
  }

  return {
    /** The writes that keep a commit, and `undo` for the same turn. */
    put(commit: Commit, position: number): { readonly writes: Promise<boolean>[]; undo(): Promise<boolean>[] } {
      if (!current) return { writes: endLine(), undo: () => [] }
      const value = encode(commit)
      if (isFull(value.length)) {
        current = undefined
        bytes = 0
        // The line ends whatever becomes of this commit.
        return { writes: endLine(), undo: () => [] }
      }
      const before = last
      last = position
      bytes += value.length
      const key: [number, number] = [position, value.length]
      return {
        writes: [tree.put(key, value), state.put(committedName, position)],
        undo: () => {
          last = before
          bytes -= value.length
          return [tree.remove(key), state.put(committedName, before)]
        },
      }
    },
    /** A commit that is not on the disk is not counted. */
    lost(position: number): void {
      if (last !== position) return
      bytes = 0
      for (const [, length] of tree.getKeys()) bytes += length
      last = Math.max(state.get(committedName) ?? 0, current?.shipped ?? 0)
    },
    /** The run that commits are kept of; undefined where they are not. */
    line: (): ShippedLine | undefined => current,
    /** Begins a run; while no commit is under way. `last` is the position of the one before, of whatever log. */
    begin(position: number): Promise<unknown> {
      if (to === undefined) return Promise.resolve()
      last = Math.max(last, position)
      current = { to, lineage: `${String(Math.floor(now_us())).padStart(16, '0')}-${family}`, shipped: last }
      bytes = 0
      return Promise.all([
        notes.put(lineName, JSON.stringify(current)),
        notes.put(familyName, family),
        ...(notes.get(placeName) === undefined ? [notes.put(placeName, '')] : []),
      ])
    },
    /** Commits in their order, from the first that is not shipped; a few more bytes than `most`. */
    *waiting(most: number): Iterable<{ readonly position: number; readonly value: Buffer }> {
      let taken = 0
      for (const { key, value } of tree.getRange()) {
        if (taken >= most) return
        taken += value.length
        yield { position: key[0], value: Buffer.from(value) }
      }
    },
    /** Commits of that run up to a position are where they go. */
    async shipped(lineage: string, position: number): Promise<void> {
      await root.transaction(() => {
        if (current?.lineage !== lineage) return
        for (const key of [...tree.getKeys({ end: [position, Number.MAX_SAFE_INTEGER] })]) {
          bytes -= key[1]
          void tree.remove(key)
        }
        current = { ...current, shipped: position }
        void notes.put(lineName, JSON.stringify(current))
      })
    },
    /** Whether the place took a whole copy of this folder. */
    isCopied: (): boolean => notes.get(placeName) === to,
    noteCopied: async (): Promise<void> => {
      if (to !== undefined && notes.get(placeName) !== to) await notes.put(placeName, to)
    },
    /** The definition of a table is about to change: commits from now on may not fit what is there now. */
    async reshape(): Promise<void> {
      if (to === undefined) return
      shape++
      await state.put(shapeName, shape)
    },
    bytes: (): number => bytes,
    /** The position of the last commit that is kept or shipped. */
    last: (): number => last,
  }
}

export type Spool = ReturnType<typeof createSpool>
