import { type ClickHouse, runAll } from '../../infra/clickhouse/clickhouse.ts'
import { compileTables, moveTable, type Place } from '../../sql/aside.ts'

type Table = { readonly name: string; readonly engine: string }

const tablesOf = (clickhouse: Pick<ClickHouse, 'rows'>, database: string): Promise<Table[]> =>
  clickhouse.rows<Table>(compileTables(database))

const part = /___local$/

/** The names of a database's tables that hold rows. */
export async function storedTables(clickhouse: Pick<ClickHouse, 'rows'>, database: string): Promise<string[]> {
  const tables = await tablesOf(clickhouse, database)
  return tables.flatMap(({ name, engine }) => (/MergeTree$/.test(engine) ? [name.replace(part, '')] : []))
}

/** The statements that take away all of a database that holds no rows: views first, then the tables on which they hang. */
export async function passingTables(
  clickhouse: Pick<ClickHouse, 'rows'>,
  database: string,
  drop: { readonly view: (name: string) => string; readonly table: (name: string) => string },
): Promise<string[]> {
  const tables = await tablesOf(clickhouse, database)
  const named = (engines: RegExp): string[] =>
    tables.flatMap(({ name, engine }) => (engines.test(engine) ? [name] : []))
  return [...named(/^Kafka$/).map(drop.table), ...named(/View$/).map(drop.view), ...named(/^Null$/).map(drop.table)]
}

export type Move = { readonly from: Place; readonly to: Place }

/** Moves the tables that are not moved yet. */
export async function moveTables(clickhouse: Pick<ClickHouse, 'rows' | 'run'>, moves: readonly Move[]): Promise<void> {
  for (const database of new Set(moves.map(({ from }) => from.database))) {
    const there = new Set(await storedTables(clickhouse, database))
    const left = moves.filter(({ from }) => from.database === database && there.has(from.table))
    await runAll(
      clickhouse,
      left.map(({ from, to }) => moveTable(from, to)),
    )
  }
}
