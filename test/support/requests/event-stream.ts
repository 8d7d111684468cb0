import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { until } from '../until.ts'

export type Sent = { readonly id?: string; readonly event?: string; readonly data?: string }

/** A reader of server-sent events that takes what comes, and keeps it. */
export async function openEventStream(
  url: string,
  path: string,
  {
    headers = {},
    method = 'GET',
    body,
    localAddress,
  }: { headers?: Record<string, string>; method?: string; body?: string; localAddress?: string } = {},
) {
  const from = localAddress === undefined ? {} : { localAddress }
  const asked: ClientRequest = request(new URL(path, url), { method, headers, agent: false, ...from })
  asked.on('error', () => {})
  asked.end(body)
  const [answer]: [IncomingMessage] = await (once(asked, 'response') as Promise<[IncomingMessage]>)
  const blocks: Sent[] = []
  const comments: string[] = []
  let text = ''
  let isEnded = false
  answer.setEncoding('utf8')
  answer.on('error', () => {})
  answer.on('close', () => {
    isEnded = true
  })
  answer.on('data', (more: string) => {
    text += more
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      take(text.slice(0, end))
      text = text.slice(end + 2)
    }
  })

  function take(block: string): void {
    const fields: Record<string, string> = {}
    for (const line of block.split('\n')) {
      if (line.startsWith(':')) comments.push(line)
      else {
        const colon = line.indexOf(': ')
        fields[line.slice(0, colon)] = line.slice(colon + 2)
      }
    }
    if (Object.keys(fields).length > 0) blocks.push(fields)
  }

  const named = (name: string): Sent[] => blocks.filter(({ event }) => event === name)
  return {
    status: answer.statusCode,
    headers: answer.headers,
    blocks,
    comments,
    named,
    /** The data of events of that name, parsed. */
    // biome-ignore lint/suspicious/noExplicitAny: an event may have any shape
    data: (name = 'event'): any[] => named(name).map(({ data = '' }) => JSON.parse(data)),
    lastId: (): string | undefined => blocks.findLast(({ id }) => id !== undefined)?.id,
    /** The begin of a block whose end has not come. */
    rest: (): string => text,
    isEnded: (): boolean => isEnded,
    until: (what: string, count: number, name = 'event') => until(what, () => named(name).length >= count, 20_000),
    ended: () => until('the end of the stream', () => isEnded, 20_000),
    pause: () => answer.pause(),
    resume: () => answer.resume(),
    close: () => asked.destroy(),
  }
}

export type EventStream = Awaited<ReturnType<typeof openEventStream>>
