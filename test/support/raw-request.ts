import { request } from 'node:http'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'

export type RawAnswer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly bytes: Buffer
}

export type RawRequest = {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer | Readable
}

/** Sends a path and headers as they are, where `fetch` would tidy them up. */
export async function rawRequest(url: string, path: string, { method, headers, body }: RawRequest = {}): Promise<RawAnswer> {
  const { hostname, port } = new URL(url)
  const sent = request({ hostname, port, path, method: method ?? 'GET', headers: { ...headers }, agent: false })
  const answered = new Promise<RawAnswer>((resolve, reject) => {
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
