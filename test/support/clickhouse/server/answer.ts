import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setImmediate as turn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { brotliCompress, deflate, gzip } from 'node:zlib'
import type { Outcome } from './engine.ts'
import { type Exception, statusOf } from './exceptions.ts'
import { type Asked, isOn } from './request.ts'

export type Place = { readonly request: IncomingMessage; readonly response: ServerResponse; readonly timezone: string }

const types: Readonly<Record<string, string>> = {
  TabSeparated: 'text/tab-separated-values; charset=UTF-8',
  TSV: 'text/tab-separated-values; charset=UTF-8',
  JSON: 'application/json; charset=UTF-8',
  JSONEachRow: 'application/x-ndjson; charset=UTF-8',
  CSV: 'text/csv; charset=UTF-8; header=absent',
}

const encoders: Readonly<Record<string, (body: Uint8Array) => Promise<Buffer>>> = {
  gzip: promisify(gzip),
  deflate: promisify(deflate),
  br: promisify(brotliCompress),
}

const summaryOf = ({ readRows, readBytes, writtenRows, bytes, elapsed_ns }: Outcome): string =>
  JSON.stringify({
    read_rows: String(readRows),
    read_bytes: String(readBytes),
    written_rows: String(writtenRows),
    written_bytes: '0',
    total_rows_to_read: '0',
    result_rows: '0',
    result_bytes: String(bytes.length),
    elapsed_ns: String(elapsed_ns),
  })

export const newTag = (): string =>
  Array.from(randomBytes(16), (byte) => String.fromCharCode(97 + (byte % 26))).join('')

/** An exception behind data that is sent already, as servers since 25.11 mark it. */
export const inBand = (text: string, tag: string): string =>
  `\r\n__exception__\r\n${tag}\r\n${text}\n${Buffer.byteLength(text) + 1} ${tag}\r\n__exception__\r\n`

export const headersOf = (asked: Asked, outcome: Outcome, timezone: string): Record<string, string> => ({
  'Content-Type': types[outcome.format] ?? 'text/plain; charset=UTF-8',
  'X-ClickHouse-Query-Id': asked.id,
  'X-ClickHouse-Format': outcome.format,
  'X-ClickHouse-Timezone': timezone,
  'X-ClickHouse-Summary': summaryOf(outcome),
})

const encodingOf = (request: IncomingMessage, asked: Asked): string | undefined =>
  isOn(asked.settings.get('enable_http_compression'))
    ? Object.keys(encoders).find((name) => String(request.headers['accept-encoding'] ?? '').includes(name))
    : undefined

/** Cut where no reader would: no row, number or character is sure to be whole. */
export function* pieces(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0, size = 7; at < bytes.length; at += size, size = size < 65_521 ? size * 53 : 65_521)
    yield bytes.subarray(at, at + size)
}

/** Held back until it is whole, or piece by piece under a tag that an exception behind some of them would bear. */
export async function answer({ request, response, timezone }: Place, asked: Asked, outcome: Outcome): Promise<void> {
  for (const [name, value] of Object.entries(headersOf(asked, outcome, timezone))) response.setHeader(name, value)
  const encoding = encodingOf(request, asked)
  const encode = encoding === undefined ? undefined : encoders[encoding]
  const bytes = encode && outcome.bytes.length > 0 ? await encode(outcome.bytes) : outcome.bytes
  if (encoding !== undefined && outcome.bytes.length > 0) response.setHeader('Content-Encoding', encoding)
  if (asked.waitsForEnd) response.setHeader('Content-Length', bytes.length)
  else response.setHeader('X-ClickHouse-Exception-Tag', newTag())
  let small = 2
  for (const piece of pieces(bytes)) {
    response.write(piece)
    if (small-- > 0) await turn()
  }
  response.end()
}

/** Half of the rows, an exception, and the end of the connection: the last chunk never comes. */
export async function breakOff(
  { response, timezone }: Place,
  asked: Asked,
  outcome: Outcome,
  { message }: Exception,
): Promise<void> {
  const tag = newTag()
  for (const [name, value] of Object.entries(headersOf(asked, outcome, timezone))) response.setHeader(name, value)
  response.setHeader('X-ClickHouse-Exception-Tag', tag)
  response.write(outcome.bytes.subarray(0, outcome.bytes.length / 2))
  await turn()
  response.write(inBand(message, tag), () => response.socket?.end())
}

/** An error before the first byte of an answer: its status, and its text as the body. */
export function refuse({ response }: Pick<Place, 'response'>, { code, message }: Exception, id?: string): void {
  if (response.destroyed) return
  const body = Buffer.from(`${message}\n`)
  response.writeHead(statusOf(code), {
    'Content-Type': 'text/plain; charset=UTF-8',
    'Content-Length': body.length,
    'X-ClickHouse-Exception-Code': String(code),
    ...(id !== undefined && { 'X-ClickHouse-Query-Id': id }),
    ...(code === 194 && { 'WWW-Authenticate': 'Basic realm="ClickHouse server HTTP API"' }),
  })
  response.end(body)
}
