/**
 * The load, in a process of its own: connections that each send a request, wait for its answer and send the next.
 * Requests are ready bytes on raw sockets, so that the generator takes as little of the machine as it can.
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { answer } from '../answer.js'
import { quantile } from '../quantile.ts'
import type { Load, LoadResult } from './load.ts'

const headEnd = '\r\n\r\n'

const requestsOf = ({ path, contentType, key, bodies }: Load): Buffer[] =>
  bodies.map((body) =>
    Buffer.from(
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${contentType}\r\n` +
        (key === undefined ? '' : `x-api-key: ${key}\r\n`) +
        `Content-Length: ${Buffer.byteLength(body)}${headEnd}${body}`,
    ),
  )

/** Whether `data` is a whole answer. */
function isWhole(data: Buffer): boolean {
  const end = data.indexOf(headEnd)
  if (end === -1) return false
  const length = /content-length: (\d+)/i.exec(data.toString('latin1', 0, end))?.[1]
  if (length === undefined) throw new Error('an answer without Content-Length')
  return data.length >= end + headEnd.length + Number(length)
}

async function run(load: Load): Promise<LoadResult> {
  const requests = requestsOf(load)
  const times_ms: number[] = []
  const sockets = Array.from({ length: load.connections }, () => connect(load.port, '127.0.0.1').setNoDelay(true))
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  const cpu = process.cpuUsage()
  const started = performance.now()
  const most = 'requests' in load.until ? load.until.requests : Number.POSITIVE_INFINITY
  const end = 'seconds' in load.until ? started + load.until.seconds * 1000 : Number.POSITIVE_INFINITY
  let sent = 0
  let failures = 0

  const drive = (socket: Socket): Promise<void> =>
    new Promise((resolve, reject) => {
      let sentAt = 0
      let held: Buffer | undefined
      const send = (): void => {
        sentAt = performance.now()
        const request = requests[sent % requests.length]
        // One request at least: the time of a short round may be over before the first of its sockets is asked.
        if (sent >= most || (sent > 0 && sentAt >= end) || request === undefined) {
          socket.destroy()
          resolve()
          return
        }
        sent++
        socket.write(request)
      }
      socket.on('error', reject)
      socket.on('close', () => reject(new Error('the server closed a connection')))
      socket.on('data', (data: Buffer) => {
        const received = held ? Buffer.concat([held, data]) : data
        held = isWhole(received) ? undefined : received
        if (held) return
        times_ms.push(performance.now() - sentAt)
        if (received.toString('latin1', 9, 12) !== '200') failures++
        send()
      })
      send()
    })

  await Promise.all(sockets.map(drive))
  const took_ms = performance.now() - started
  const { user, system } = process.cpuUsage(cpu)
  return {
    requests: times_ms.length,
    failures,
    seconds: took_ms / 1000,
    p50_ms: quantile(times_ms, 0.5),
    p99_ms: quantile(times_ms, 0.99),
    cpu: (user + system) / 1000 / took_ms,
  }
}

answer(run)
