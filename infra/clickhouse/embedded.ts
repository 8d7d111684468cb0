import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Session } from 'chdb'
import { bind } from '../../sql/statement.ts'
import { accessArguments } from './access.ts'
import { type ClickHouse, clickHouseError, insertSettings, jsonLines } from './clickhouse.ts'
import { createPool } from './pool.ts'

export type EmbeddedOptions = {
  readonly path: string
  /** Connections for queries and DDL; inserts have their own, so that queries never starve the feeder. */
  readonly connections?: number
  readonly cacheMb?: number
}

/** Connections for inserts alone: the feeder's two lanes, and tables beside them. */
const inserters = 4

/** ClickHouse in this process by chDB. One process per `path`: a second one is refused by the engine's own file lock. */
export function createEmbeddedClickHouse({ path, connections = 6, cacheMb = 256 }: EmbeddedOptions): ClickHouse {
  mkdirSync(path, { recursive: true })
  const megabytes = 1024 * 1024
  const connectionArgs = [
    `--mark_cache_size=${(cacheMb * megabytes) / 4}`,
    `--uncompressed_cache_size=${(cacheMb * megabytes) / 4}`,
    '--output_format_json_escape_forward_slashes=0',
    // An update's document stands in its statement.
    `--max_query_size=${256 * megabytes}`,
    // What the longest condition over undeclared members comes to.
    '--max_ast_elements=1000000',
    ...accessArguments,
  ]
  const open = (): Session => new Session(path, { connectionArgs })
  const sessions = openAll(path, open, connections + inserters)
  const readers = createPool(sessions.slice(inserters))
  const writers = createPool(sessions.slice(0, inserters))

  const query = (text: string, format: string): Promise<Buffer> =>
    readers.use(async (session) => {
      try {
        return Buffer.from((await session.queryAsync(text, { format })).bytes())
      } catch (error) {
        throw clickHouseError(error)
      }
    })

  return {
    read: (statement, format) => query(bind(statement), format),
    rows: async <Row>(statement: { text: string; params: Record<string, string | number> }) =>
      jsonLines<Row>(await query(bind(statement), 'JSONEachRow')),
    run: async (statement) => {
      await query(typeof statement === 'string' ? statement : bind(statement), 'Null')
    },
    insert: ({ table, rows, token }) =>
      writers.use(async (session) => {
        try {
          await session.insert({
            table: table.replaceAll('`', ''),
            values: rows,
            format: 'JSONEachRow',
            settings: insertSettings(token),
          })
        } catch (error) {
          throw clickHouseError(error)
        }
      }),
    close: async () => {
      for (const session of sessions) session.close()
    },
  }
}

function openAll(path: string, open: () => Session, count: number): Session[] {
  try {
    return Array.from({ length: count }, open)
  } catch (error) {
    const holder = processIn(path)
    if (holder === undefined) throw clickHouseError(error)
    throw new Error(
      `another process (${holder}) uses the data folder ${path}; stop it, or set DATA_DIR to another folder`,
      { cause: error },
    )
  }
}

/** The living process that ClickHouse's own note in the folder names; the engine tells no reason but on standard error. */
function processIn(path: string): number | undefined {
  try {
    const id = Number(/^PID: (\d+)/.exec(readFileSync(join(path, 'status'), 'utf8'))?.[1])
    process.kill(id, 0)
    return id
  } catch {
    return undefined
  }
}
