import { literal } from '../../sql/literal.ts'
import type { SqlStatement } from '../../sql/statement.ts'
import type { ClickHouse } from '../clickhouse/clickhouse.ts'

/** One version of a saved question; the latest of a name counts, and says `gone` where the question was deleted. */
export type SavedRecord = {
  readonly name: string
  /** Of the version, from 1. */
  readonly number: number
  /** JSON of the question; empty where it is gone. */
  readonly body: string
  /** The places of its definer's key, which the question may read; empty for everything. */
  readonly places: readonly string[]
  /** A key's id, `ADMIN_KEY`, or an address. */
  readonly author: string
  /** Microseconds since 1970. */
  readonly at: number
  readonly state: 'live' | 'gone'
}

type Row = Omit<SavedRecord, 'number' | 'at'> & { readonly of: string; readonly since: string }

const columns = 'name, toString(number) AS of, body, places, author, toString(at) AS since, state'

/** The saved questions in ClickHouse, with their earlier versions. */
export function createSavedCatalogue(
  clickhouse: ClickHouse,
  nextVersion: () => number,
  write: (insertion: SqlStatement) => Promise<void> = clickhouse.run,
) {
  async function read(rest: string, params: SqlStatement['params'] = {}): Promise<SavedRecord[]> {
    const text = `SELECT ${columns} FROM (SELECT * FROM weir.saved FINAL ${rest})`
    const rows = await clickhouse.rows<Row>({ text, params })
    return rows.map(({ of, since, ...row }) => ({ ...row, number: Number(of), at: Number(since) }))
  }

  return {
    /** The latest version of each name, those that are gone among them. */
    latest: (): Promise<SavedRecord[]> => read('ORDER BY number DESC LIMIT 1 BY name'),
    since: (version: number): Promise<SavedRecord[]> =>
      read('WHERE version > {version:UInt64} ORDER BY version', { version }),
    async one(name: string, number: number): Promise<SavedRecord | undefined> {
      return (await read('WHERE name = {name:String} AND number = {number:UInt64}', { name, number }))[0]
    },
    /** The versions of a name, the latest first. */
    versions: (name: string): Promise<SavedRecord[]> =>
      read('WHERE name = {name:String} ORDER BY number DESC', { name }),
    put: ({ name, number, body, places, author, at, state }: SavedRecord): Promise<void> =>
      write({
        text: [
          'INSERT INTO weir.saved SELECT {name:String}, {number:UInt64}, {body:String},',
          `[${places.map((place) => literal(place, 'String')).join(', ')}]::Array(String),`,
          '{author:String}, {at:Int64}, {state:String}, {version:UInt64}',
        ].join(' '),
        params: { name, number, body, author, at, state, version: nextVersion() },
      }),
    /** Forgets the versions of a name up to that number. */
    async forget(name: string, number: number): Promise<void> {
      const text = 'DELETE FROM weir.saved WHERE name = {name:String} AND number <= {number:UInt64}'
      await clickhouse.run({ text, params: { name, number } })
    },
  }
}

export type SavedCatalogue = ReturnType<typeof createSavedCatalogue>
