import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '../../logger.ts'
import { type ClickHouse, ClickHouseError } from '../clickhouse.ts'
import { isAway } from '../passing.ts'

const pause_ms = 1_000

export type Patient = { readonly clickhouse: ClickHouse; failFast(): void }

/**
 * A ClickHouse that is waited for: until `failFast` is called, a statement that finds the server away is tried again,
 * and the log says so. For the start of a process, whose statements may all be repeated.
 */
export function createPatient(clickhouse: ClickHouse, logger: Logger): Patient {
  let waits = true

  async function patiently<Result>(work: () => Promise<Result>): Promise<Result> {
    for (;;) {
      try {
        return await work()
      } catch (error) {
        if (!waits || !(error instanceof ClickHouseError)) throw error
        // The start ends with this text, which may name nothing but a user of ClickHouse's.
        if (!isAway(error)) throw new ClickHouseError(error.code, `ClickHouse refuses: ${error.message}`, error)
        logger.warn({ reason: error.message }, 'ClickHouse is away, waiting for it')
        await sleep(pause_ms)
      }
    }
  }

  return {
    clickhouse: {
      read: (statement, format) => patiently(() => clickhouse.read(statement, format)),
      rows: (statement) => patiently(() => clickhouse.rows(statement)),
      run: (statement) => patiently(() => clickhouse.run(statement)),
      insert: (insertion) => patiently(() => clickhouse.insert(insertion)),
      close: () => clickhouse.close(),
    },
    /** From now on a failure is thrown at once. */
    failFast(): void {
      waits = false
    },
  }
}
