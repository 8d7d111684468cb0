import { Readable } from 'node:stream'
import type { ObjectStore } from '../../infra/buckets/store.ts'
import { type ClickHouse, ClickHouseError } from '../../infra/clickhouse/clickhouse.ts'
import type { Clock } from '../../infra/clock.ts'
import { fault } from '../../infra/faults.ts'
import type { Feeder } from '../../infra/feeder.ts'
import { modelBucket, trainingFileKey } from '../../infra/model-objects.ts'
import { compileHistory, type EventPosition, type HistoryRequest } from '../../sql/query/compile/rows.ts'
import type { StreamSource } from '../../sql/query/compile/source.ts'
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

/** What a page is meant to hold: it takes the event loop for some milliseconds. Past `mostBytes` it is read in parts. */
const pageBytes = 4 * 1024 * 1024
const mostBytes = 4 * pageBytes
const mostRows = 8192

/** Writes the events of a stream into a training file, a page at a time. */
export function createStreamUpload({ clickhouse, feeder, clock, objects }: UploadDeps) {
  /** Undefined where so many events are too large to be one page. */
  async function readPage(source: StreamSource, request: HistoryRequest): Promise<DocumentPage | undefined> {
    const bound = request.limit > 1 ? { mostBytes } : {}
    try {
      return pageOf(await clickhouse.read(compileHistory(source, { ...request, ...bound }), 'TSVRaw'))
    } catch (error) {
      if (error instanceof ClickHouseError && request.limit > 1 && tooMuch.includes(error.code)) return undefined
      throw error
    }
  }

  /** Documents, one a line, oldest first; `counted` hears how many each page holds. */
  async function* pages(
    { schema, stream, columns }: RegisteredStream,
    { duration_s }: Upload,
    lastSeq: number,
    counted: (lines: number) => void,
  ): AsyncGenerator<Buffer> {
    const now_us = Date.now() * 1000
    const source = { schema, stream, columns, now_us }
    const from_us = Math.max(0, now_us - duration_s * 1_000_000)
    let limit = 64
    let after: Required<Pick<EventPosition, 'pk' | 'seq'>> | undefined
    for (;;) {
      const page = await readPage(source, { from_us, lastSeq, limit, ...(after && { after }) })
      if (page?.lines === 0) return
      if (page) {
        counted(page.lines)
        yield page.documents
        after = page.last
      }
      const fitting = page ? (page.lines * pageBytes) / page.documents.length : limit / 8
      limit = Math.floor(Math.max(1, Math.min(fitting, 8 * limit, mostRows)))
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

/** ClickHouse's error codes for an answer, and for a query's memory, beyond their bounds. */
const tooMuch = [396, 241]

type DocumentPage = {
  readonly documents: Buffer
  readonly lines: number
  readonly last?: Required<Pick<EventPosition, 'pk' | 'seq'>>
}

/** A line's `_pk` and `_seq`. A document holds no tab, so nothing inside of one looks like that. */
const position = /^(\d+)\t(\d+)\t/gm

/** Takes the positions off `pk \t seq \t document` lines. */
function pageOf(answer: Buffer): DocumentPage {
  let last: Required<Pick<EventPosition, 'pk' | 'seq'>> | undefined
  let lines = 0
  const documents = answer.toString('utf8').replace(position, (_, pk: string, seq: string) => {
    last = { pk, seq }
    lines++
    return ''
  })
  return { documents: Buffer.from(documents), lines, ...(last && { last }) }
}
