import type { Socket } from 'node:net'
import { headersOf, inBand, newTag, type Packed, type Place, packed, packedUpToHere } from './answer.ts'
import type { Engine, Outcome } from './engine.ts'
import { type Exception, thrown } from './exceptions.ts'
import { type Asked, isOn } from './request.ts'

const wanted_ms = ({ settings }: Asked): number | undefined =>
  isOn(settings.get('send_progress_in_http_headers'))
    ? Number(settings.get('http_headers_progress_interval_ms') ?? 100)
    : undefined

/**
 * Runs a statement and tells how far it is by headers, as long as it reads or writes something. They are behind the
 * status, which is then 200 whatever comes. Node's own response cannot do that, so this writes to the socket. Resolves to
 * nothing where it has answered.
 */
export async function runWithProgress(
  engine: Engine,
  place: Place,
  asked: Asked,
  ownInterval_ms?: number,
): Promise<Outcome | undefined> {
  const { socket } = place.response
  const interval_ms = wanted_ms(asked)
  if (interval_ms === undefined || !socket) return engine.run(asked)
  let isBegun = false
  let last = ''
  const tell = async (): Promise<void> => {
    const progress = await engine.progress(asked)
    if (progress === '' || progress === last || isOver) return
    if (!isBegun) socket.write('HTTP/1.1 200 OK\r\n')
    isBegun = true
    last = progress
    socket.write(`X-ClickHouse-Progress: ${progress}\r\n`)
  }
  let isOver = false
  const timer = setInterval(() => void tell().catch(() => {}), ownInterval_ms ?? interval_ms)
  try {
    const outcome = await engine.run(asked)
    isOver = true
    if (!isBegun) return outcome
    end(socket, headersOf(asked, outcome, place.timezone), await packed(place.request, asked, outcome.bytes))
  } catch (error) {
    isOver = true
    if (!isBegun) throw error
    await endByException(socket, place, asked, thrown(error))
  } finally {
    clearInterval(timer)
  }
  return undefined
}

const lines = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')

function end(socket: Socket, known: Readonly<Record<string, string>>, { bytes, headers }: Packed): void {
  socket.write(`${lines({ ...known, ...headers, 'Content-Length': String(bytes.length), Connection: 'close' })}\r\n`)
  socket.end(bytes)
}

/** The chunk that would be the last is missing: a client sees that the answer was cut off. */
async function endByException(
  socket: Socket,
  { request }: Place,
  asked: Asked,
  { code, message }: Exception,
): Promise<void> {
  const tag = newTag()
  const { bytes, headers } = await packedUpToHere(request, asked, Buffer.from(inBand(message, tag)))
  const told = {
    ...headers,
    'Content-Type': 'text/plain; charset=UTF-8',
    'Transfer-Encoding': 'chunked',
    'X-ClickHouse-Exception-Tag': tag,
    'X-ClickHouse-Exception-Code': String(code),
    Connection: 'close',
  }
  const chunk = bytes.length > 0 ? [`${bytes.length.toString(16)}\r\n`, bytes, '\r\n'] : []
  socket.end(Buffer.concat([`${lines(told)}\r\n`, ...chunk].map((part) => Buffer.from(part))))
}
