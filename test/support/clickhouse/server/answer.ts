import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setImmediate as turn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { brotliCompress, createBrotliCompress, createDeflate, createGzip, deflate, gzip } from 'node:zlib'
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

const encoders: Readonly<Record<Encoding, (body: Uint8Array) => Promise<Buffer>>> = {
  gzip: promisify(gzip),
  deflate: promisify(deflate),
  br: promisify(brotliCompress),
}

const packers = { gzip: createGzip, deflate: createDeflate, br: createBrotliCompress } as const

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

type Encoding = keyof typeof packers
const encodings: readonly Encoding[] = ['gzip', 'deflate', 'br']

const encodingOf = (request: IncomingMessage, { settings }: Asked): Encoding | undefined =>
  isOn(settings.get('enable_http_compression'))
    ? encodings.find((name) => String(request.headers['accept-encoding'] ?? '').includes(name))
    : undefined

export type Packed = { readonly bytes: Uint8Array; readonly headers: Readonly<Record<string, string>> }

/** The whole of a body as its client asked for it. An empty body is not packed. */
export async function packed(request: IncomingMessage, asked: Asked, bytes: Uint8Array): Promise<Packed> {
  const encoding = encodingOf(request, asked)
  if (encoding === undefined || bytes.length === 0) return { bytes, headers: {} }
  return { bytes: await encoders[encoding](bytes), headers: { 'Content-Encoding': encoding } }
}

/**
 * The beginning of a body, up to where a server breaks off. It never tells zlib to flush what it has packed (Z_NO_FLUSH), so
 * what zlib holds at that moment is lost, the text of an exception too.
 */
export async function packedUpToHere(request: IncomingMessage, asked: Asked, bytes: Uint8Array): Promise<Packed> {
  const encoding = encodingOf(request, asked)
  if (encoding === undefined) return { bytes, headers: {} }
  const given: Buffer[] = []
  const packer = packers[encoding]()
  packer.on('data', (piece: Buffer) => given.push(piece))
  await new Promise((resolve) => packer.write(bytes, resolve))
  await turn()
  packer.destroy()
  return { bytes: Buffer.concat(given), headers: { 'Content-Encoding': encoding } }
}

/** Cut where no reader would: no row, number or character is sure to be whole. */
export function* pieces(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0, size = 7; at < bytes.length; at += size, size = size < 65_521 ? size * 53 : 65_521)
    yield bytes.subarray(at, at + size)
}

function setHeaders(response: ServerResponse, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
}

/** Held back until it is whole, or piece by piece under a tag that an exception behind some of them would bear. */
export async function answer({ request, response, timezone }: Place, asked: Asked, outcome: Outcome): Promise<void> {
  const { bytes, headers } = await packed(request, asked, outcome.bytes)
  setHeaders(response, { ...headersOf(asked, outcome, timezone), ...headers })
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
  { request, response, timezone }: Place,
  asked: Asked,
  outcome: Outcome,
  { message }: Exception,
): Promise<void> {
  const tag = newTag()
  const half = outcome.bytes.subarray(0, outcome.bytes.length / 2)
  const { bytes, headers } = await packedUpToHere(
    request,
    asked,
    Buffer.concat([half, Buffer.from(inBand(message, tag))]),
  )
  setHeaders(response, { ...headersOf(asked, outcome, timezone), ...headers, 'X-ClickHouse-Exception-Tag': tag })
  response.write(bytes.subarray(0, half.length))
  await turn()
  response.write(bytes.subarray(half.length), () => response.socket?.end())
}

/** An error before the first byte of an answer: its status, and its text as the body, packed where the request was read. */
export async function refuse(
  { request, response }: Pick<Place, 'request' | 'response'>,
  { code, message }: Exception,
  asked?: Asked,
): Promise<void> {
  const text = Buffer.from(`${message}\n`)
  const { bytes, headers } = asked ? await packed(request, asked, text) : { bytes: text, headers: {} }
  if (response.destroyed) return
  response.writeHead(statusOf(code), {
    ...headers,
    'Content-Type': 'text/plain; charset=UTF-8',
    'Content-Length': bytes.length,
    'X-ClickHouse-Exception-Code': String(code),
    ...(asked && { 'X-ClickHouse-Query-Id': asked.id }),
    ...(code === 194 && { 'WWW-Authenticate': 'Basic realm="ClickHouse server HTTP API"' }),
  })
  response.end(bytes)
}
