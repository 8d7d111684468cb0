import { qualified } from '../../sql/identifier.ts'
import { createRejectedTable } from '../../sql/schema/ddl/events.ts'
import { inputTable, rejectedTable } from '../../sql/schema/names.ts'
import type { Feed } from '../log/embedded/feeder-insert.ts'
import type { ClickHouse } from './clickhouse.ts'

const partsOf = (queue: string): [database: string, stream: string] => {
  const [database = '', stream = ''] = queue.split('.')
  return [database, stream]
}

const tokenOf = (ofBatch: string, log?: string): string => (log === undefined ? ofBatch : `${log}:${ofBatch}`)

/** Feeds a queue `S.ST` into the Null table of its stream. `log` tells tokens apart where several logs feed one ClickHouse. */
export const createClickHouseFeed = (clickhouse: ClickHouse, log?: string): Feed => ({
  insert: (queue, rows, ofBatch) => {
    const token = tokenOf(ofBatch, log)
    const [database, stream] = partsOf(queue)
    return clickhouse.insert({ table: qualified(database, inputTable(stream)), rows, token })
  },
  reject: async (queue, line, reason, ofBatch) => {
    const token = tokenOf(ofBatch, log)
    const [database, stream] = partsOf(queue)
    await clickhouse.run(createRejectedTable(database, stream))
    const row = JSON.stringify({ line: line.toString('utf8').trimEnd(), reason })
    await clickhouse.insert({ table: qualified(database, rejectedTable(stream)), rows: Buffer.from(`${row}\n`), token })
  },
})
