import type { ClickHouse } from '../../../infra/clickhouse/clickhouse.ts'
import type { Schema } from '../../../sql/schema/schema.ts'

export type RebuildDeps = {
  readonly clickhouse: ClickHouse
  /**
   * Runs `work` on a schema while no event of it is on its way and no edit of it is under way: all that was acknowledged
   * is in ClickHouse. A fault `missing` where there is no such schema.
   */
  readonly quiesce: <Result>(schema: string, work: (schema: Schema) => Promise<Result>) => Promise<Result>
  /** The schema as it is now. */
  readonly schema: (name: string) => Schema
}

export type RebuildRequest = { readonly schema: string; readonly stream: string; readonly token: string }
