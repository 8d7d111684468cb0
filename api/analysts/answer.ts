import { randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { Readable, type Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createBrotliCompress, createDeflate, createGzip } from 'node:zlib'
import { holdBack } from '../../base/held-back.ts'
import type { SqlAnswer, SqlSummary } from '../../infra/clickhouse/analysts/sql-runner.ts'
import { clickHouseError } from '../../infra/clickhouse/clickhouse.ts'
import { contentType } from '../../infra/clickhouse/wire/content-types.ts'
import { frame, framed } from '../../infra/clickhouse/wire/frames.ts'
import { statusOf } from '../../infra/clickhouse/wire/status.ts'
import { idle_ms } from '../http/stream-body.ts'
import type { Coding, Wishes } from './query.ts'

/** This part of an answer is held back: a failure within it is answered with its own status and headers. */
const heldBack = { first: 1024 * 1024, whole: 64 * 1024 * 1024 }

const packers: Readonly<Record<Coding, () => Transform>> = {
  gzip: () => createGzip({ level: 3 }),
  deflate: () => createDeflate({ level: 3 }),
  br: () => createBrotliCompress({ params: { 1: 3 } }),
}

const summaryText = (summary: SqlSummary): string =>
  JSON.stringify({
    written_rows: '0',
    written_bytes: '0',
    result_rows: String(summary.resultRows),
    result_bytes: String(summary.resultBytes),
    elapsed_ns: String(summary.elapsed_ns),
  })

/** Streams an answer. A failure on the way ends it as in ClickHouse: a marked exception, then a cut connection. */
export async function sendAnswer(response: ServerResponse, answer: SqlAnswer, wishes: Wishes): Promise<void> {
  response.setTimeout(idle_ms)
  const { begin, isAll, output } = await holdBack(answer.output, wishes.isWhole ? heldBack.whole : heldBack.first)
  const tag = randomBytes(8).toString('hex')
  response.statusCode = 200
  response.setHeader('Content-Type', contentType(answer.format))
  response.setHeader('X-ClickHouse-Format', answer.format)
  response.setHeader('X-ClickHouse-Summary', summaryText(answer.summary()))
  response.setHeader('X-ClickHouse-Exception-Tag', tag)
  const { coding } = wishes
  const pack = coding && packers[coding]
  if (coding !== undefined) response.setHeader('Content-Encoding', coding)

  let failure: unknown
  async function* whole(): AsyncGenerator<Uint8Array> {
    yield* begin
    try {
      while (!isAll) {
        const next = await output.next()
        if (next.done) return
        yield next.value
      }
    } catch (error) {
      failure = error
      yield exceptionBlock(clickHouseError(error).message, tag)
    }
  }
  if (isAll && !pack && !wishes.isFramed) {
    response.end(Buffer.concat(begin))
    return
  }
  const source = Readable.from(wishes.isFramed ? framed(whole()) : whole(), { objectMode: false })
  const stages = pack ? [source, pack()] : [source]
  await pipeline([...stages, response], { end: false })
  if (failure === undefined) response.end()
  else response.socket?.destroySoon()
}

const exceptionBlock = (message: string, tag: string): Buffer => {
  const text = Buffer.from(`${message}\n`)
  const marker = '\r\n__exception__\r\n'
  return Buffer.concat([Buffer.from(`${marker}${tag}\r\n`), text, Buffer.from(`${text.length} ${tag}${marker}`)])
}

/** An answer that never began. */
export function sendException(response: ServerResponse, error: unknown, isFramed: boolean): void {
  const { code, message } = clickHouseError(error)
  const text = message.startsWith('Code: ') ? message : `Code: ${code || 1001}. DB::Exception: ${message}`
  response.statusCode = statusOf(code)
  response.setHeader('X-ClickHouse-Exception-Code', String(code || 1001))
  response.setHeader('Content-Type', 'text/plain; charset=UTF-8')
  const body = Buffer.from(`${text}\n`)
  response.end(isFramed ? frame(body) : body)
}
