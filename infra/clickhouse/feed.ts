import { qualified } from '../../sql/identifier.ts'
import { inputTable, rejectedTable } from '../../sql/schema/names.ts'
import type { Feed } from '../feeder.ts'
import type { ClickHouse } from './clickhouse.ts'

const tableOf = (queue: string, name: (stream: string) => string): string => {
  const [database = '', stream = ''] = queue.split('.')
  return qualified(database, name(stream))
}

/** Feeds a queue `S.ST` into the Null table of its stream. */
export const createClickHouseFeed = (clickhouse: ClickHouse): Feed => ({
  insert: (queue, rows, token) => clickhouse.insert({ table: tableOf(queue, inputTable), rows, token }),
  reject: (queue, line, reason, token) => {
    const row = JSON.stringify({ line: line.toString('utf8').trimEnd(), reason })
    return clickhouse.insert({ table: tableOf(queue, rejectedTable), rows: Buffer.from(`${row}\n`), token })
  },
})
