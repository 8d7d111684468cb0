import type { SqlStatement } from '../../sql/statement.ts'
import type { ClickHouse } from '../clickhouse/clickhouse.ts'

/** A door for signed webhooks; the latest record of a name counts, and says `gone` where the hook was deleted. */
export type HookRecord = {
  readonly name: string
  /** JSON of the hook with its secrets, which no call shows; empty where it is gone. */
  readonly body: string
  /** A key's id, `ADMIN_KEY`, or an address. */
  readonly author: string
  /** Microseconds since 1970. */
  readonly at: number
  readonly state: 'live' | 'gone'
}

type Row = Omit<HookRecord, 'at'> & { readonly since: string }

/** The hooks in ClickHouse's table `weir.hooks`. */
export function createHookCatalogue(
  clickhouse: ClickHouse,
  nextVersion: () => number,
  write: (insertion: SqlStatement) => Promise<void> = clickhouse.run,
) {
  async function read(where: string, params: SqlStatement['params'] = {}): Promise<HookRecord[]> {
    const text = [
      'SELECT name, body, author, toString(at) AS since, state',
      `FROM (SELECT * FROM weir.hooks FINAL WHERE ${where} ORDER BY version)`,
    ].join(' ')
    const rows = await clickhouse.rows<Row>({ text, params })
    return rows.map(({ since, ...row }) => ({ ...row, at: Number(since) }))
  }

  return {
    all: (): Promise<HookRecord[]> => read("state = 'live'"),
    /** Hooks that are gone are among them. */
    since: (version: number): Promise<HookRecord[]> => read('version > {version:UInt64}', { version }),
    put: ({ name, body, author, at, state }: HookRecord): Promise<void> =>
      write({
        text: [
          'INSERT INTO weir.hooks SELECT {name:String}, {body:String}, {author:String}, {at:Int64}, {state:String},',
          '{version:UInt64}',
        ].join(' '),
        params: { name, body, author, at, state, version: nextVersion() },
      }),
    /** Forgets the names that were deleted before a time: each process has followed by then. */
    forgetGone: (before: number): Promise<void> =>
      clickhouse.run({
        text: "DELETE FROM weir.hooks WHERE state = 'gone' AND at < {before:Int64}",
        params: { before },
      }),
  }
}

export type HookCatalogue = ReturnType<typeof createHookCatalogue>
