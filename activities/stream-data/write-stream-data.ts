import { Readable } from 'node:stream'
import type { ObjectStore } from '../../infra/buckets/store.ts'
import type { ClickHouse } from '../../infra/clickhouse/clickhouse.ts'
import type { StreamSource } from '../../sql/query/compile/source.ts'
import { modelBucket, trainingFileKey } from '../objects/model-objects.ts'
import { readHistory } from './read-history.ts'

export type StreamDataRequest = {
  readonly schema: string
  readonly stream: string
  readonly model: string
  readonly file: string
  /** Events with a `_pk` from here on ... */
  readonly from_us: number
  /** ... that came no later than this value of the clock. */
  readonly lastSeq: number
}
export type StreamDataWritten = { readonly lines: number; readonly bytes: number }

export type StreamDataDeps = {
  readonly clickhouse: ClickHouse
  readonly objects: ObjectStore
  /** The source that a query on the stream is compiled against; a fault `missing` where the stream is gone. */
  readonly source: (schema: string, stream: string) => Omit<StreamSource, 'now_us'>
}

export const createStreamDataActivities = ({ clickhouse, objects, source }: StreamDataDeps) => ({
  /** Writes events as lines of JSON; the object that was under the key before is there until all are written. */
  async writeStreamData(request: StreamDataRequest, signal: AbortSignal): Promise<StreamDataWritten> {
    const { schema, stream, model, file, from_us, lastSeq } = request
    const target = { ...source(schema, stream), now_us: Date.now() * 1000 }
    let lines = 0
    const content = readHistory(clickhouse, target, { from_us, lastSeq }, (more) => {
      signal.throwIfAborted()
      lines += more
    })
    const { size } = await objects.put(modelBucket, trainingFileKey(model, schema, file), Readable.from(content))
    return { lines, bytes: size }
  },
})

export type StreamDataActivities = ReturnType<typeof createStreamDataActivities>
