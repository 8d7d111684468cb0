import type { SqlStatement } from '../../sql/statement.ts'
import type { ClickHouse } from '../clickhouse/clickhouse.ts'
import { versionAfter } from './version-after.ts'

/** A door for events of others; the latest record of a name counts, and says `gone` where the door was deleted. */
export type DoorRecord = {
  readonly name: string
  /** JSON of the door with its secrets, which no call shows; empty where it is gone. */
  readonly body: string
  /** A key's id, `ADMIN_KEY`, or an address. */
  readonly author: string
  /** Microseconds since 1970. */
  readonly at: number
  readonly state: 'live' | 'gone'
}

type Row = Omit<DoorRecord, 'at'> & { readonly since: string }

/** The doors of one kind in their table of ClickHouse: signed webhooks, or topics of others. */
export function createDoorCatalogue(
  table: 'hooks' | 'sources',
  clickhouse: ClickHouse,
  nextVersion: () => number,
  write: (insertion: SqlStatement) => Promise<void> = clickhouse.run,
) {
  async function read(where: string, params: SqlStatement['params'] = {}): Promise<DoorRecord[]> {
    const text = [
      'SELECT name, body, author, toString(at) AS since, state',
      `FROM (SELECT * FROM weir.${table} FINAL WHERE ${where} ORDER BY version)`,
    ].join(' ')
    const rows = await clickhouse.rows<Row>({ text, params })
    return rows.map(({ since, ...row }) => ({ ...row, at: Number(since) }))
  }

  return {
    all: (): Promise<DoorRecord[]> => read("state = 'live'"),
    /** Doors that are gone are among them. */
    since: (version: number): Promise<DoorRecord[]> => read('version > {version:UInt64}', { version }),
    put: ({ name, body, author, at, state }: DoorRecord): Promise<void> =>
      write({
        text: [
          `INSERT INTO weir.${table} SELECT {name:String}, {body:String}, {author:String}, {at:Int64}, {state:String},`,
          versionAfter(table, ['name']),
        ].join(' '),
        params: { name, body, author, at, state, version: nextVersion() },
      }),
    /** Forgets the names that were deleted before a time: each process has followed by then. */
    forgetGone: (before: number): Promise<void> =>
      clickhouse.run({
        text: `DELETE FROM weir.${table} WHERE state = 'gone' AND at < {before:Int64}`,
        params: { before },
      }),
  }
}

export type DoorCatalogue = ReturnType<typeof createDoorCatalogue>
