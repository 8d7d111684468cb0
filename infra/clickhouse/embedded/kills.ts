import { setTimeout as sleep } from 'node:timers/promises'
import type { Session } from 'chdb'
import { killStatement } from '../../../sql/kill.ts'

const again_ms = 100

/** Ends statements of embedded ClickHouse by a connection of its own, since an abort would break theirs. */
export function createKills(connect: () => Session | Promise<Session>) {
  let control: Promise<Session> | undefined
  const connected = async (): Promise<Session> => {
    try {
      return await connect()
    } catch (error) {
      control = undefined
      throw error
    }
  }

  return {
    /** Resolves once the statement is gone. It is killed again and again: one that has just begun is not to be found yet. */
    async end(comment: string, isRunning: () => boolean): Promise<void> {
      while (isRunning()) {
        control ??= connected()
        await control.then((session) => session.queryAsync(killStatement(comment))).catch(() => {})
        await sleep(again_ms)
      }
    },
  }
}

const nothing = 'SELECT 1'

/**
 * Begins another statement on the connection of one that failed or was cut off: until then that one keeps its threads,
 * its memory and its place in `system.processes`, for which `KILL QUERY ... SYNC` and a DROP wait.
 */
export const clear = async (session: Session): Promise<void> => {
  await session.queryAsync(nothing, { format: 'Null' }).catch(() => {})
}
