import type { Catalogue, SchemaRecord } from '../../infra/catalogue/catalogue.ts'
import { type ClickHouse, runAll } from '../../infra/clickhouse/clickhouse.ts'
import type { Delivery } from '../../infra/log/delivery.ts'
import type { Logger } from '../../infra/logger.ts'
import { changeLog } from '../../sql/schema/ddl/edit/switch-log.ts'
import type { SchemaCompiler } from './compile-schema.ts'
import type { StreamStates } from './stream-states.ts'

export type LogChangeDeps = {
  readonly clickhouse: ClickHouse
  readonly catalogue: Catalogue
  readonly compiler: SchemaCompiler
  readonly states: StreamStates
  readonly delivery: Delivery
  readonly logger: Logger
}

/** Fits the registered schemas to the log that the settings name, where that is another than at the last start. */
export async function changeLogs(deps: LogChangeDeps, records: readonly SchemaRecord[]): Promise<void> {
  const { clickhouse, catalogue, compiler, states, delivery, logger } = deps
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
      logger.info({ before, log: kind, schemas }, 'log changed, fitting the tables of all schemas to it')
    }
    for (const { name, body } of records) {
      await runAll(clickhouse, changeLog(compiler.decode(body), states.offStreams(name)))
    }
  }
  if ((await catalogue.logKind()) !== kind) await catalogue.putLogKind(kind)
}
