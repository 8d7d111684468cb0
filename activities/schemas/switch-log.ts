import type { Catalogue, SchemaRecord } from '../../infra/catalogue/catalogue.ts'
import { type ClickHouse, runAll } from '../../infra/clickhouse/clickhouse.ts'
import type { Delivery } from '../../infra/log/delivery.ts'
import type { Logger } from '../../infra/logger.ts'
import { changeLog } from '../../sql/schema/ddl/edit/switch-log.ts'
import { takesTurns } from '../../sql/schema/made.ts'
import type { Rules } from '../rules/rules.ts'
import type { SchemaCompiler } from './compile-schema.ts'
import type { StreamStates } from './stream-states.ts'

export type LogChangeDeps = {
  readonly clickhouse: ClickHouse
  readonly catalogue: Catalogue
  readonly compiler: SchemaCompiler
  readonly states: StreamStates
  readonly delivery: Delivery
  readonly rules: Pick<Rules, 'forget'>
  readonly logger: Logger
}

/** Fits the registered schemas to the log that the settings name, where that is another than at the last start. */
export async function changeLogs(deps: LogChangeDeps, records: readonly SchemaRecord[]): Promise<void> {
  const { clickhouse, catalogue, compiler, states, delivery, rules, logger } = deps
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
      const schema = compiler.decode(body)
      await runAll(clickhouse, changeLog(schema, states.offStreams(name)))
      if (!takesTurns(schema)) continue
      // A memory of an earlier time with this log lacks the events since.
      await rules.forget(name)
      logger.warn(
        { schema: name },
        'log changed: joins, patterns and moving conditions begin anew, references are filled again',
      )
    }
  }
  if ((await catalogue.logKind()) !== kind) await catalogue.putLogKind(kind)
}
