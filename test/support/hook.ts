import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { read } from './requests/client.ts'

/** A request that an endpoint of notifications was sent. */
export type Delivered = {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into payloads of any shape
  readonly body: any // any: a template decides the shape, and a test that asked for it asserts its members
}

export type Answerer = (delivered: Delivered, response: ServerResponse) => void

const well: Answerer = (_, response) => {
  response.end('thanks')
}

/** A receiver of notifications: keeps what comes, and answers 200 unless `answer` does otherwise. */
export async function openHook(answer: Answerer = well) {
  const all: Delivered[] = []
  const server = createServer((request, response) => {
    buffer(request).then(
      (bytes) => {
        const text = bytes.toString('utf8')
        const delivered = { path: request.url ?? '', headers: request.headers, text, body: read(text) }
        all.push(delivered)
        answer(delivered, response)
      },
      () => {},
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const at = (path: string): Delivered[] => all.filter((each) => each.path === path)
  return {
    url: (path: string): string => `http://127.0.0.1:${port}${path}`,
    all,
    at,
    /** The ids of the sends that came to a path: a repeat counts once. */
    ids: (path: string): Set<string> => new Set(at(path).map(({ headers }) => String(headers['webhook-id']))),
    close(): void {
      server.closeAllConnections()
      server.close()
    },
  }
}

export type Hook = Awaited<ReturnType<typeof openHook>>
