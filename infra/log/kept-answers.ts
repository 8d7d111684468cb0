import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { open, type RootDatabase } from 'lmdb'
import { fault } from '../faults.ts'
import { needRoom } from './disk-room.ts'
import type { KeyedAnswer } from './event-log.ts'
import { createAnswers } from './lmdb-answers.ts'

/** Room that new answers leave on the disk. */
const reservedBytes = 64 * 1024 * 1024

/** Answers by idempotency key in a file of their own, which processes on one host may share. */
export function createKeptAnswers(path: string) {
  mkdirSync(path, { recursive: true })
  const root: RootDatabase = open({ path: join(path, 'answers.mdb'), maxDbs: 4 })
  const answers = createAnswers(root)

  return {
    get: answers.get,
    drop: answers.drop,
    /** Throws a fault `limited` where there is no room to keep an answer. */
    check(): void {
      try {
        needRoom(path, reservedBytes)
      } catch (cause) {
        throw fault('limited', 'the answer could not be kept, the disk may be full', { retryAfter: 5, cause })
      }
    },
    /** Resolves once they are on disk. */
    put: async (queue: string, keyed: readonly KeyedAnswer[]): Promise<void> => {
      await Promise.all(answers.put(queue, keyed, Date.now() * 1000))
    },
    async close(): Promise<void> {
      answers.close()
      await root.close()
    },
  }
}

export type KeptAnswers = ReturnType<typeof createKeptAnswers>
