import type { ClickHouse } from '../../../infra/clickhouse/clickhouse.ts'
import { throughPassing } from '../../../infra/clickhouse/passing.ts'
import type { ModelKey } from './training-record.ts'

/** The number of an alias that was taken away. */
const removed = 0

/** Names of versions, in ClickHouse: each alias of a model names one version. */
export function createAliasStore(clickhouse: ClickHouse) {
  const list = async ({ schema, model }: ModelKey): Promise<ReadonlyMap<string, number>> => {
    const rows = await throughPassing(() =>
      clickhouse.rows<{ readonly alias: string; readonly number: number }>({
        text: `SELECT alias, number FROM weir.model_aliases FINAL WHERE schema = {schema:String} AND model = {model:String} AND number != ${removed} ORDER BY alias`,
        params: { schema, model },
      }),
    )
    return new Map(rows.map(({ alias, number }) => [alias, number]))
  }

  const write = ({ schema, model }: ModelKey, alias: string, number: number): Promise<void> =>
    throughPassing(() =>
      clickhouse.run({
        // Above that of the row before, which may be of a time when the computer's clock was ahead.
        text: [
          'INSERT INTO weir.model_aliases SELECT {schema:String}, {model:String}, {alias:String}, {number:UInt64},',
          'greatest({version:UInt64}, (SELECT max(version) + 1 FROM weir.model_aliases',
          'WHERE schema = {schema:String} AND model = {model:String} AND alias = {alias:String}))',
        ].join(' '),
        params: { schema, model, alias, number, version: String(Date.now() * 1000) },
      }),
    )

  const remove = (key: ModelKey, alias: string): Promise<void> => write(key, alias, removed)

  return {
    /** The version of each alias. */
    list,
    set: write,
    remove,

    /** The aliases of one version, or of all. */
    async removeOf(key: ModelKey, number?: number): Promise<void> {
      for (const [alias, named] of await list(key)) {
        if (number === undefined || named === number) await remove(key, alias)
      }
    },
  }
}

export type AliasStore = ReturnType<typeof createAliasStore>
