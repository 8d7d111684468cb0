import { request } from 'node:http'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'

export type PlainAnswer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly bytes: Buffer
}

export type PlainRequest = {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer | Readable
}

/** Sends a path and headers as they are, where `fetch` would tidy them up. */
export async function plainRequest(
  url: string,
  path: string,
  { method, headers, body }: PlainRequest = {},
): Promise<PlainAnswer> {
  const { hostname, port } = new URL(url)
  const sent = request({ hostname, port, path, method: method ?? 'GET', headers: { ...headers }, agent: false })
  const answered = new Promise<PlainAnswer>((resolve, reject) => {
    sent.once('error', reject)
    sent.once('response', (response) => {
      buffer(response).then(
        (bytes) => resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes }),
        reject,
      )
    })
  })
  if (body === undefined || body instanceof Buffer) sent.end(body)
  else pipeline(body, sent).catch(() => {})
  return answered
}
