import type { ClickHouse } from '../../infra/clickhouse/clickhouse.ts'
import { literal } from '../../sql/literal.ts'

export type KeyRecord = {
  readonly id: string
  readonly name: string
  /** SHA-256 of the key, in base64. */
  readonly hash: string
  readonly scopes: readonly string[]
  /** Empty for everywhere. */
  readonly places: readonly string[]
  /** JSON of the values of parameters that the key has; empty for none. */
  readonly fixed: string
  /** Requests a second; 0 for those of every key. */
  readonly rate: number
  /** Microseconds, as `expires_us`, which is 0 for never. */
  readonly created_us: number
  readonly expires_us: number
  readonly version: number
}

type Row = Omit<KeyRecord, 'created_us' | 'expires_us' | 'version'> & Record<'created' | 'expires' | 'version', string>

const live = "FROM weir.api_keys FINAL WHERE state = 'live'"

/** Keys in ClickHouse, as hashes. The latest version of a row is the one that counts. */
export function createKeyStore(clickhouse: ClickHouse) {
  const insert = (table: string, row: Record<string, unknown>): Promise<void> =>
    clickhouse.insert({ table: `\`weir\`.\`${table}\``, rows: Buffer.from(`${JSON.stringify(row)}\n`) })

  const put = ({ created_us: created, expires_us: expires, ...record }: KeyRecord, state: 'live' | 'revoked') =>
    insert('api_keys', { ...record, created, expires, state })

  return {
    async all(): Promise<KeyRecord[]> {
      const columns = 'id, name, hash, scopes, places, fixed, rate'
      const times = 'toString(created) AS created, toString(expires) AS expires, toString(version) AS version'
      const text = `SELECT ${columns}, ${times} ${live}`
      const rows = await clickhouse.rows<Row>({ text, params: {} })
      return rows
        .map(({ created, expires, version, ...row }) => ({
          ...row,
          created_us: Number(created),
          expires_us: Number(expires),
          version: Number(version),
        }))
        .sort((one, other) => one.created_us - other.created_us)
    },

    /** A text that changes when a key is made or revoked. */
    async fingerprint(): Promise<string> {
      const text = 'SELECT toString(sum(cityHash64(id, version, state))) AS sum FROM weir.api_keys FINAL'
      return (await clickhouse.rows<{ sum: string }>({ text, params: {} }))[0]?.sum ?? ''
    },

    async count(): Promise<number> {
      const rows = await clickhouse.rows<{ keys: number }>({ text: `SELECT count() AS keys ${live}`, params: {} })
      return Number(rows[0]?.keys ?? 0)
    },

    put: (record: KeyRecord): Promise<void> => put(record, 'live'),
    /** The row stays, without the hash, so that the key opens nothing. */
    revoke: (record: KeyRecord): Promise<void> => put({ ...record, hash: '' }, 'revoked'),

    /**
     * Forgets revoked keys but the latest `kept`, some at a time. Their rows of before go first: a key whose last row says
     * that it is revoked is never live again.
     */
    async forgetRevoked(kept: number, atOnce = 1_000): Promise<void> {
      const rows = await clickhouse.rows<{ id: string }>({
        text: [
          "SELECT id FROM weir.api_keys FINAL WHERE state = 'revoked'",
          `ORDER BY version DESC, id LIMIT ${atOnce} OFFSET ${literal(kept, 'UInt64')}`,
        ].join(' '),
        params: {},
      })
      if (rows.length < atOnce) return
      const these = `id IN (${rows.map(({ id }) => literal(id, 'String')).join(', ')})`
      await clickhouse.run(`DELETE FROM weir.api_keys WHERE ${these} AND state != 'revoked'`)
      await clickhouse.run(`DELETE FROM weir.api_keys WHERE ${these}`)
      await clickhouse.run(`DELETE FROM weir.api_key_uses WHERE ${these}`)
    },

    /** When each key was last used, in microseconds. */
    async uses(): Promise<Map<string, number>> {
      const text = 'SELECT id, toString(max(used)) AS used FROM weir.api_key_uses GROUP BY id'
      const rows = await clickhouse.rows<{ id: string; used: string }>({ text, params: {} })
      return new Map(rows.map(({ id, used }) => [id, Number(used)]))
    },
    async putUses(uses: ReadonlyMap<string, number>): Promise<void> {
      const rows = [...uses].map(([id, used]) => `${JSON.stringify({ id, used })}\n`).join('')
      if (rows !== '') await clickhouse.insert({ table: '`weir`.`api_key_uses`', rows: Buffer.from(rows) })
    },
  }
}

export type KeyStore = ReturnType<typeof createKeyStore>
