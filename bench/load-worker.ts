/**
 * The load, in a process of its own: connections that each send a request, wait for its answer and send the next.
 * Requests are ready bytes on raw sockets, so that the generator takes as little of the machine as it can.
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { Load, LoadResult } from './load.ts'

const headEnd = Buffer.from('\r\n\r\n')

function requestsOf({ path, contentType, bodies }: Load): Buffer[] {
  return bodies.map((body) =>
    Buffer.from(
      `POST ${path} HTTP/1.1\r\nHost: bench\r\nContent-Type: ${contentType}\r\n` +
        `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    ),
  )
}

/** The length of the answer that `data` starts with, once all of it is there. */
function answerLength(data: Buffer): number | undefined {
  const end = data.indexOf(headEnd)
  if (end === -1) return undefined
  const length = /content-length: (\d+)/i.exec(data.latin1Slice(0, end))?.[1]
  if (length === undefined) throw new Error(`an answer without Content-Length:\n${data.latin1Slice(0, end)}`)
  const total = end + headEnd.length + Number(length)
  return data.length >= total ? total : undefined
}

async function run(load: Load): Promise<LoadResult> {
  const requests = requestsOf(load)
  const times_ms: number[] = []
  const sockets = Array.from({ length: load.connections }, () => connect(load.port, '127.0.0.1').setNoDelay(true))
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  const cpu = process.cpuUsage()
  const started = performance.now()
  const end = started + load.seconds * 1000
  let left = load.requests ?? Number.POSITIVE_INFINITY
  let sent = 0
  let failures = 0

  const drive = (socket: Socket): Promise<void> =>
    new Promise((resolve, reject) => {
      let sentAt = 0
      let held: Buffer | undefined
      const send = (): void => {
        if (left <= 0 || performance.now() >= end) {
          socket.destroy()
          resolve()
          return
        }
        left--
        sentAt = performance.now()
        socket.write(requests[sent++ % requests.length] ?? Buffer.alloc(0))
      }
      socket.on('error', reject)
      socket.on('close', () => reject(new Error('the server closed a connection')))
      socket.on('data', (data: Buffer) => {
        const answer = held ? Buffer.concat([held, data]) : data
        held = answerLength(answer) === undefined ? answer : undefined
        if (held) return
        times_ms.push(performance.now() - sentAt)
        if (answer.latin1Slice(9, 12) !== '200') failures++
        send()
      })
      send()
    })

  await Promise.all(sockets.map(drive))
  const took_ms = performance.now() - started
  const { user, system } = process.cpuUsage(cpu)
  times_ms.sort((a, b) => a - b)
  const quantile = (share: number): number => times_ms[Math.floor(share * (times_ms.length - 1))] ?? 0
  return {
    requests: times_ms.length,
    failures,
    seconds: took_ms / 1000,
    p50_ms: quantile(0.5),
    p99_ms: quantile(0.99),
    cpu: (user + system) / 1000 / took_ms,
  }
}

process.on('message', (load: Load) => {
  run(load).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ error: String(error) }),
  )
})
