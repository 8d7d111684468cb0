import type { RootDatabase } from 'lmdb'
import { openRuleTrees } from '../../../memory/records.ts'
import { type ChangelogRecord, checkpointBegins, checkpointGoesOn } from './changelog.ts'

export type CheckpointDeps = {
  readonly root: RootDatabase
  /** Bytes of the changelog so far. */
  readonly length: number
  /** Bytes of the memory. */
  readonly bytes: () => number
  /** Deletes all of the changelog before this offset, or tells why it could not. */
  readonly truncate: (offset: number) => Promise<void>
  /** A changelog that is shorter has no checkpoint. */
  readonly minLength?: number
}

/** A part of a checkpoint, for one commit. */
export type CheckpointPart = {
  readonly messages: readonly Buffer[]
  readonly isFirst: boolean
  /** Where the next part goes on; undefined: the checkpoint is whole. */
  readonly next: From | undefined
}

type From = { readonly tree: ChangelogRecord['tree']; readonly start: Buffer }

/** A changelog is read within a second or two. */
const usualMinLength = 32 * 1024 * 1024
/** A checkpoint begins once the changelog is this many times as large as the memory: checkpoints add at most half to it. */
const growth = 2
/** A part is read in a few milliseconds. */
const partBytes = 256 * 1024

/**
 * Keeps the changelog of a task short. Once it is long it gets a checkpoint: all records of the memory and then its journal, a part
 * of them with each commit. A part has what it has as all commits before have left it, and the changes of other commits
 * stand in between: taken in order, from the first part on, they leave what is there. So what is before the first part is
 * deleted once the last one is committed.
 */
export function createCheckpoints({ root, length, bytes, truncate, minLength = usualMinLength }: CheckpointDeps) {
  const trees = openRuleTrees(root)
  let since = length
  /** Behind the last entry of the journal when the checkpoint began: those that came since are in the changelog as they are. */
  let journalEnd = Buffer.alloc(0)
  let next: From | undefined
  let begin: number | undefined

  function read({ tree, start }: From): { readonly found: ChangelogRecord[]; readonly next: From | undefined } {
    const found: ChangelogRecord[] = []
    let size = 0
    for (const { key, value } of trees[tree].getRange({ start, ...(tree === 'journal' && { end: journalEnd }) })) {
      if (size > partBytes) return { found, next: { tree, start: key } }
      found.push({ tree, key, value })
      size += key.length + value.length
    }
    return { found, next: tree === 'records' ? { tree: 'journal', start: Buffer.alloc(0) } : undefined }
  }

  return {
    /** The part that comes before the changes of the next commit. The commit before is in the memory. */
    part(): CheckpointPart | undefined {
      const isFirst = next === undefined
      if (isFirst && since < Math.max(minLength, growth * bytes())) return undefined
      if (isFirst) {
        const [last] = trees.journal.getKeys({ reverse: true, limit: 1 })
        journalEnd = last ? Buffer.concat([last, Buffer.alloc(1)]) : Buffer.alloc(0)
      }
      const part = read(next ?? { tree: 'records', start: Buffer.alloc(0) })
      const messages = isFirst
        ? checkpointBegins(
            [...trees.spaces.getRange()].map(({ key, value }) => [key, value] as const),
            part.found,
          )
        : checkpointGoesOn(part.found)
      return { messages, isFirst, next: part.next }
    },

    /** A commit is in Kafka, its part of the changelog from this offset on. */
    committed(part: CheckpointPart | undefined, first: number, length: number): void {
      since += length
      if (!part) return
      if (part.isFirst) [begin, since] = [first, length]
      next = part.next
      if (next || begin === undefined) return
      void truncate(begin)
      begin = undefined
    },
  }
}

export type Checkpoints = ReturnType<typeof createCheckpoints>
