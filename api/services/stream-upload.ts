import { Readable } from 'node:stream'
import type { ObjectStore } from '../../infra/buckets/store.ts'
import type { ClickHouse } from '../../infra/clickhouse/clickhouse.ts'
import type { Clock } from '../../infra/clock.ts'
import { fault } from '../../infra/faults.ts'
import type { Feeder } from '../../infra/feeder.ts'
import { modelBucket, trainingFileKey } from '../../infra/model-objects.ts'
import { compileHistory, type EventPosition } from '../../sql/query/compile/rows.ts'
import type { RegisteredStream } from './registry.ts'

export type Upload = {
  readonly model: string
  readonly file: string
  /** Events of this many seconds up to now. */
  readonly duration_s: number
  /** Whether to go without what is not in ClickHouse yet. */
  readonly eventual: boolean
}

export type UploadDeps = {
  readonly clickhouse: ClickHouse
  readonly feeder: Feeder
  readonly clock: Clock
  readonly objects: ObjectStore
}

/** A page takes the event loop for a few milliseconds. */
const pageRows = 8192
const pageBytes = 1024 * 1024

/** Writes the events of a stream into a training file, a page at a time. */
export function createStreamUpload({ clickhouse, feeder, clock, objects }: UploadDeps) {
  /** Documents, one a line, oldest first; `counted` hears how many each page holds. */
  async function* pages(
    { schema, stream, columns }: RegisteredStream,
    { duration_s }: Upload,
    lastSeq: number,
    counted: (lines: number) => void,
  ): AsyncGenerator<Buffer> {
    const now_us = Date.now() * 1000
    const from_us = Math.max(0, now_us - duration_s * 1_000_000)
    let after: Required<EventPosition> | undefined
    for (;;) {
      const limits = { from_us, lastSeq, limit: pageRows, pageBytes }
      const statement = compileHistory({ schema, stream, columns, now_us }, { ...limits, ...(after && { after }) })
      const page = readPage((await clickhouse.read(statement, 'TSVRaw')).toString('utf8'))
      if (!page) return
      counted(page.lines)
      yield Buffer.from(page.documents)
      after = page.last
    }
  }

  return async (target: RegisteredStream, upload: Upload): Promise<{ lines: number; bytes: number }> => {
    const { schema, stream, queues } = target
    if (stream.kind === 'entity') {
      throw fault('invalid', `${schema.name}.${stream.name} is an entity stream: it holds aggregates, and no events`)
    }
    const lastSeq = clock.last()
    if (!upload.eventual) await feeder.caughtUp(queues)
    let lines = 0
    const content = pages(target, upload, lastSeq, (more) => {
      lines += more
    })
    const key = trainingFileKey(upload.model, schema.name, upload.file)
    const { size } = await objects.put(modelBucket, key, Readable.from(content))
    return { lines, bytes: size }
  }
}

export type StreamUpload = ReturnType<typeof createStreamUpload>

/** A line's `_pk` and `_seq`. A document holds no tab, so nothing inside of one looks like that. */
const position = /^(\d+)\t(\d+)\t/gm

/** `pk \t seq \t document` lines; undefined for none. */
function readPage(text: string): { documents: string; lines: number; last: Required<EventPosition> } | undefined {
  let last: Required<EventPosition> | undefined
  let lines = 0
  const documents = text.replace(position, (_, pk: string, seq: string) => {
    last = { pk, seq }
    lines++
    return ''
  })
  return last && { documents, lines, last }
}
