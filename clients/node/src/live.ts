import { errorAmid, foreignError, WeirError } from './errors.ts'
import { type Call, pause, type Requests, type Wait } from './requests.ts'
import { expectType, textLines } from './rows.ts'

export type LiveOptions = Wait & {
  /** Told where events between two connections are gone, and what else the service says of the stream. */
  readonly onNote?: (note: string, data: unknown) => void
}

type Message = { readonly event: string; readonly data: string; readonly id: string | undefined }

const again_ms = 1_000

/**
 * The data that a stream of server-sent events has under the name `event`, one after the other. A connection that is cut is
 * opened again where it ended; `event: error` ends it.
 */
export async function* follow<Value>(
  requests: Requests,
  call: Call,
  event: string,
  { signal, onNote }: LiveOptions,
): AsyncGenerator<Value> {
  let last: string | undefined
  for (;;) {
    const headers = {
      accept: 'text/event-stream',
      ...call.headers,
      ...(last !== undefined && { 'last-event-id': last }),
    }
    const query = last === undefined ? call.query : withoutBeginning(call.query)
    const response = await requests.response({
      ...call,
      headers,
      ...(query && { query }),
      signal,
      isStream: true,
      isRepeatable: true,
    })
    await expectType(response, 'text/event-stream', requests.base)
    try {
      for await (const message of messagesOf(response, requests.base)) {
        last = message.id ?? last
        const data = dataIn(requests, message)
        if (message.event === event) yield data as Value
        else if (message.event === 'error') throw errorAmid(data)
        else if (message.event !== 'open') onNote?.(message.event, data)
      }
    } catch (error) {
      signal?.throwIfAborted()
      if (!(error instanceof WeirError) || error.kind !== 'broken') throw error
    }
    await pause(again_ms, signal)
  }
}

/** A reader that comes back goes on where it was, not from where it first began. */
function withoutBeginning(query: Call['query']): Call['query'] {
  const { last, after, ...others } = query ?? {}
  return others
}

async function* messagesOf(response: Response, where: string): AsyncGenerator<Message> {
  let [event, data, id]: [string, string[], string | undefined] = ['message', [], undefined]
  for await (const line of textLines(response, where, true)) {
    if (line === '') {
      if (data.length > 0) yield { event, data: data.join('\n'), id }
      event = 'message'
      data = []
      continue
    }
    const colon = line.indexOf(':')
    const value = line.slice(colon + 1).replace(/^ /, '')
    const field = line.slice(0, Math.max(0, colon))
    if (field === 'event') event = value
    else if (field === 'data') data.push(value)
    else if (field === 'id') id = value
  }
}

function dataIn(requests: Requests, { data }: Message): unknown {
  try {
    return requests.read(data === '' ? 'null' : data)
  } catch {
    throw foreignError(requests.base, 'the data of an event is no JSON')
  }
}
