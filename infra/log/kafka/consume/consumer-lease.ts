import { createKeyedMutex } from '../../../../base/mutex.ts'
import type { Logger } from '../../../logger.ts'
import type { Lease, Leases } from '../../../processes/leases.ts'

/** Work on the consumers of a schema; `check` throws once another process may be at work on them. */
export type ConsumerWork<Result> = (check: () => void) => Promise<Result>

/**
 * Lets one process at a time make or drop the consumers of a schema. `leases` is undefined where no other process is on
 * this ClickHouse.
 */
export function createConsumerLease(leases: Leases | undefined, logger: Logger) {
  const locally = createKeyedMutex()
  const subjectOf = (schema: string): string => `the consumers of ${schema}`

  async function under<Result>(lease: Lease, work: ConsumerWork<Result>): Promise<Result> {
    try {
      return await work(lease.check)
    } finally {
      await lease
        .end()
        .catch((error: unknown) => logger.warn({ err: error }, 'lease of consumers not released, it will expire'))
    }
  }

  return {
    /** Waits for the lease; a fault `unavailable` where another process keeps it. */
    use: <Result>(schema: string, work: ConsumerWork<Result>): Promise<Result> =>
      locally(schema, async () => (leases ? under(await leases.take(subjectOf(schema)), work) : work(() => {}))),

    /** Leaves the work to the other process where one has the lease. */
    tryUse: (schema: string, work: ConsumerWork<void>): Promise<void> =>
      locally(schema, async () => {
        const lease = await leases?.tryTake(subjectOf(schema))
        if (lease) await under(lease, work)
      }),
  }
}
