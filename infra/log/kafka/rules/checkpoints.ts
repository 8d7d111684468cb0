import type { RootDatabase } from 'lmdb'
import { openRuleTrees } from '../../embedded/rule-records.ts'
import { type ChangelogRecord, checkpointBegins, checkpointGoesOn } from './changelog.ts'

export type CheckpointDeps = {
  readonly root: RootDatabase
  /** Bytes of the changelog so far. */
  readonly length: number
  /** Bytes of the memory. */
  readonly bytes: () => number
  /** Deletes all of the changelog before this offset. */
  readonly truncate: (offset: number) => Promise<void>
  /** A changelog that is shorter has no checkpoint. */
  readonly minLength?: number
}

/** A part of a checkpoint, for one commit. */
export type CheckpointPart = {
  readonly messages: readonly Buffer[]
  readonly isFirst: boolean
  /** Where the next part goes on; undefined: the checkpoint is whole. */
  readonly next: Buffer | undefined
}

/** A changelog is read within a second or two. */
const usualMinLength = 32 * 1024 * 1024
/** So many times the memory: the changelog grows by half at most for its checkpoints. */
const growth = 2
/** A part is read in a few milliseconds. */
const partBytes = 256 * 1024

/**
 * Keeps the changelog of a task short. Once it is long it gets a checkpoint: all records of the memory, a part of them with
 * each commit. A part has its records as all commits before have left them, and the changes of other commits stand in
 * between: taken in order, from the first part on, they leave what is there. So what is before the first part is deleted
 * once the last one is committed.
 */
export function createCheckpoints({ root, length, bytes, truncate, minLength = usualMinLength }: CheckpointDeps) {
  const { records, spaces } = openRuleTrees(root)
  let since = length
  let next: Buffer | undefined
  let begin: number | undefined

  function read(start: Buffer): { readonly found: ChangelogRecord[]; readonly next: Buffer | undefined } {
    const found: ChangelogRecord[] = []
    let size = 0
    for (const { key, value } of records.getRange({ start })) {
      if (size > partBytes) return { found, next: key }
      found.push({ key, value })
      size += key.length + value.length
    }
    return { found, next: undefined }
  }

  return {
    /** The part that comes before the changes of the next commit. The commit before is in the memory. */
    part(): CheckpointPart | undefined {
      const isFirst = next === undefined
      if (isFirst && since < Math.max(minLength, growth * bytes())) return undefined
      const part = read(next ?? Buffer.alloc(0))
      const messages = isFirst
        ? checkpointBegins(
            [...spaces.getRange()].map(({ key, value }) => [key, value] as const),
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
      // Records that could not be deleted go with the next one.
      truncate(begin).catch(() => {})
      begin = undefined
    },
  }
}

export type Checkpoints = ReturnType<typeof createCheckpoints>
