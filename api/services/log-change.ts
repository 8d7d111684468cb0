import type { Catalogue, SchemaRecord } from '../../infra/catalogue.ts'
import type { ClickHouse } from '../../infra/clickhouse/clickhouse.ts'
import type { Delivery } from '../../infra/delivery.ts'
import type { Logger } from '../../infra/logger.ts'
import { changeLog } from '../../sql/schema/ddl/log-change.ts'
import type { Registered } from './registered.ts'

export type LogChangeDeps = {
  readonly clickhouse: ClickHouse
  readonly catalogue: Catalogue
  readonly registered: Registered
  readonly delivery: Delivery
  readonly logger: Logger
}

/** Fits what is registered to the log that the settings name, where that is another than at the last start. */
export async function changeLogs(deps: LogChangeDeps, records: readonly SchemaRecord[]): Promise<void> {
  const { clickhouse, catalogue, registered, delivery, logger } = deps
  const kind = delivery.redelivers ? 'kafka' : 'embedded'
  const before = (await catalogue.logKind()) ?? 'embedded'
  if (before !== kind) {
    const half = records.filter(({ state }) => state !== 'ready').map(({ name }) => name)
    if (half.length > 0) {
      throw new Error(
        `schemas are left half-changed (${half.join(', ')}): start once more with the ${before} log, then change to ${kind}`,
      )
    }
    if (records.length > 0) {
      const schemas = records.length
      logger.info({ before, log: kind, schemas }, 'another log: the tables of all schemas are fitted to it')
    }
    for (const { name, body } of records) {
      for (const statement of changeLog(registered.decode(body), registered.offStreams(name)))
        await clickhouse.run(statement)
    }
  }
  if ((await catalogue.logKind()) !== kind) await catalogue.putLogKind(kind)
}
