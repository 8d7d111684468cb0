import type { ClickHouse } from '../../infra/clickhouse/clickhouse.ts'
import type { SqlStatement } from '../../sql/statement.ts'
import { type Progress, progress } from './progress.ts'

type Row = { readonly name: string; readonly record: string; readonly version: string }

/** The progress of sources in ClickHouse's table `weir.source_progress`. */
export function createSourceStore(clickhouse: ClickHouse, now_us: () => number = () => Date.now() * 1000) {
  /** The versions that this process has read or written: the next one is greater, whatever the clocks say. */
  const versions = new Map<string, number>()

  async function read(where: string, params: Record<string, string> = {}): Promise<Map<string, Progress>> {
    const rows = await clickhouse.rows<Row>({
      text: `SELECT name, record, toString(version) AS version FROM weir.source_progress FINAL${where}`,
      params,
    })
    return new Map(
      rows.map(({ name, record, version }) => {
        versions.set(name, Math.max(Number(version), versions.get(name) ?? 0))
        return [name, progress.parse(JSON.parse(record))]
      }),
    )
  }

  return {
    all: (): Promise<Map<string, Progress>> => read(''),
    find: async (name: string): Promise<Progress | undefined> =>
      (await read(' WHERE name = {name:String}', { name })).get(name),
    /** `write` runs the statement; that of a lease refuses it once the source is another process's. */
    async keep(name: string, next: Progress, write: (statement: SqlStatement) => Promise<void>): Promise<void> {
      const version = Math.max(now_us(), (versions.get(name) ?? 0) + 1)
      versions.set(name, version)
      await write({
        text: 'INSERT INTO weir.source_progress SELECT {name:String}, {record:String}, {version:UInt64}',
        params: { name, record: JSON.stringify(next), version: String(version) },
      })
    },
    async forget(name: string): Promise<void> {
      versions.delete(name)
      await clickhouse.run({ text: 'DELETE FROM weir.source_progress WHERE name = {name:String}', params: { name } })
    },
  }
}

export type SourceStore = ReturnType<typeof createSourceStore>
