import type { ClickHouseClient } from '@clickhouse/client'
import { parseError } from '@clickhouse/client'
import { cutMiddle } from '../../../base/cut-middle.ts'
import { ClickHouseError, maxMessage } from '../clickhouse.ts'

type Asked = Parameters<ClickHouseClient['exec']>[0]

/**
 * An exception behind data, or behind headers that reported progress: the status was 200 by then, and the server breaks
 * the connection off. Since 25.11 it stands between tags of the answer's own.
 */
const inBand = '__exception__'
/** The server writes no longer one. */
const longestException = 32 * 1024

/** The exception at the end of an answer. */
function exceptionIn(answer: Buffer): string | undefined {
  const end = answer.subarray(-longestException).toString('utf8').trimEnd()
  const isTagged = end.endsWith(`\r\n${inBand}`)
  const text = isTagged ? end.slice(0, -inBand.length - 2) : end
  const start = text.lastIndexOf(`${inBand}\r\n`)
  if (start < 0) return undefined
  const told = text.slice(start + inBand.length + 2).replace(/^[a-z]{16}\r\n/, '')
  return isTagged ? told.replace(/(?<!\d)\d+ [a-z]{16}$/, '') : told
}

/** The bytes of an answer that is whole. Throws the server's exception, wherever in the answer it stands. */
export async function ask(client: ClickHouseClient, asked: Asked): Promise<Buffer> {
  const {
    stream,
    response_headers,
    http_status_code = 200,
  } = await client.exec({ ...asked, ignore_error_response: true })
  const pieces: Buffer[] = []
  let cut: unknown
  try {
    for await (const piece of stream) pieces.push(piece)
  } catch (error) {
    cut = error
  }
  const bytes = Buffer.concat(pieces)
  const code = response_headers['x-clickhouse-exception-code']
  const isFailed = http_status_code >= 300 || code !== undefined
  if (cut === undefined && !isFailed) return bytes
  const thrown = exceptionIn(bytes)
  if (thrown !== undefined) throw parseError(cutMiddle(thrown, maxMessage))
  // Bytes that a server had packed but not sent when it broke off are lost: of a packed answer the whole text of the
  // exception.
  if (cut !== undefined && code !== undefined)
    throw new ClickHouseError(Number(code), `ClickHouse broke its answer off with its error ${code}`, cut)
  throw cut ?? parseError(cutMiddle(bytes.toString('utf8'), maxMessage))
}
