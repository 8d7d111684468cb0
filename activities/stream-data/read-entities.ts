import { z } from 'zod'
import type { ClickHouse } from '../../infra/clickhouse/clickhouse.ts'
import { compileEntityLines, type EntitiesTaken, entitySource } from '../../sql/query/compile/entities.ts'
import type { StreamSource } from '../../sql/query/compile/source.ts'
import { type LinePage, type PageRequest, readPages } from './read-pages.ts'

type Key = readonly string[]

/**
 * Rows of an entity stream as lines of JSON, in the order of keys: the key, and the statistics by the names that
 * analysts see. Each row is as it is when its page is read; `counted` hears how many rows each page holds.
 */
export async function* readEntities(
  clickhouse: ClickHouse,
  { schema, stream }: Pick<StreamSource, 'schema' | 'stream'>,
  counted: (rows: number) => void,
  taken: EntitiesTaken = {},
): AsyncGenerator<Buffer> {
  const source = entitySource(schema, stream.name)
  // No definition fills the stream: it has no table.
  if (source.keys.length === 0) return
  const at_us = Date.now() * 1000
  const statement = (page: PageRequest<Key>) => compileEntityLines(source, { ...page, at_us, taken })
  yield* readPages(clickhouse, { statement, read: pageOf }, counted)
}

const keyOnWire = z.array(z.string())

/** Takes the keys off `key \t line` lines. JSON holds no tab and no line feed. */
function pageOf(answer: string): LinePage<Key> {
  const rows = answer.split('\n').filter((row) => row !== '')
  const lines = rows.map((row) => `${row.slice(row.indexOf('\t') + 1)}\n`)
  const last = rows.at(-1)
  return {
    text: Buffer.from(lines.join('')),
    lines: rows.length,
    ...(last !== undefined && { last: keyOnWire.parse(JSON.parse(last.slice(0, last.indexOf('\t')))) }),
  }
}
