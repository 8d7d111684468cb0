/** Readers of a live stream and the client whose events they read, in a process of their own, so by one clock. */

import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { answer } from '../answer.js'
import { quantile } from '../quantile.ts'

export type LiveMessage =
  | { readonly do: 'open'; readonly port: number; readonly path: string; readonly readers: number }
  | {
      readonly do: 'post'
      readonly port: number
      readonly path: string
      /** Bodies a second, with so many events each. */
      readonly rate: number
      readonly events: number
      readonly seconds: number
    }
  | { readonly do: 'close' }

export type Waits = {
  readonly posted: number
  /** Of the readers that look at what they get: from the answer to the client to the event. */
  readonly p50_ms: number
  readonly p95_ms: number
  readonly max_ms: number
  readonly bytes: number
  /** Events a reader got, at least, of those that were posted. */
  readonly leastShare: number
}

/** Readers that take their events apart; the others only take what comes. */
const looking = 10
const patience_ms = 30_000

const sockets: Socket[] = []
const answers: IncomingMessage[] = []
let [bytes, posted] = [0, 0]
/** When the event of that number was acknowledged. */
const acknowledged = new Map<number, number>()
const came: { readonly at: Map<number, number> }[] = []

async function openLooking(port: number, path: string): Promise<void> {
  const request = get({ port, host: '127.0.0.1', path, agent: false })
  const [response]: [IncomingMessage] = await (once(request, 'response') as Promise<[IncomingMessage]>)
  const at = new Map<number, number>()
  came.push({ at })
  answers.push(response)
  let rest = ''
  response.on('error', () => {})
  response.on('data', (data: Buffer) => {
    bytes += data.length
    rest += data.toString('latin1')
    const now = performance.now()
    const end = rest.lastIndexOf('\n\n')
    for (const [, number] of rest.slice(0, end).matchAll(/"number":(\d+)/g)) at.set(Number(number), now)
    rest = rest.slice(end)
  })
}

async function openPlain(port: number, path: string): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  await once(socket, 'connect')
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
  await once(socket, 'data')
  socket.on('error', () => {})
  socket.on('data', (data) => {
    bytes += data.length
  })
}

async function open({ port, path, readers }: LiveMessage & { do: 'open' }): Promise<void> {
  const looked = Math.min(looking, readers)
  for (let i = 0; i < looked; i++) await openLooking(port, path)
  for (let i = looked; i < readers; i += 50) {
    await Promise.all(Array.from({ length: Math.min(50, readers - i) }, () => openPlain(port, path)))
  }
}

async function send(port: number, path: string, events: number): Promise<void> {
  const numbers = Array.from({ length: events }, () => ++posted)
  const body = numbers.map((number) => JSON.stringify({ number, text: 'leave it at the door' })).join('\n')
  const headers = { 'content-type': 'application/x-ndjson' }
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body })
  await response.text()
  if (!response.ok) throw new Error(`an answer of ${response.status}`)
  const now = performance.now()
  for (const number of numbers) acknowledged.set(number, now)
}

async function post({ port, path, rate, events, seconds }: LiveMessage & { do: 'post' }): Promise<Waits> {
  const [first, firstBytes] = [posted + 1, bytes]
  const began = performance.now()
  const sends: Promise<void>[] = []
  for (let i = 0; i < rate * seconds; i++) {
    const at = began + (i * 1000) / rate
    if (at > performance.now()) await new Promise((resolve) => setTimeout(resolve, at - performance.now()))
    sends.push(send(port, path, events))
  }
  await Promise.all(sends)
  const last = posted
  const end = performance.now() + patience_ms
  while (came.some(({ at }) => !at.has(last)) && performance.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  const waits: number[] = []
  let least = last - first + 1
  for (const { at } of came) {
    let got = 0
    for (let number = first; number <= last; number++) {
      const time = at.get(number)
      if (time === undefined) continue
      got++
      waits.push(Math.max(0, time - (acknowledged.get(number) ?? time)))
    }
    least = Math.min(least, got)
  }
  return {
    posted: last - first + 1,
    p50_ms: quantile(waits, 0.5),
    p95_ms: quantile(waits, 0.95),
    max_ms: waits.reduce((most, wait) => Math.max(most, wait), 0),
    bytes: bytes - firstBytes,
    leastShare: least / Math.max(1, last - first + 1),
  }
}

function close(): void {
  for (const each of [...sockets, ...answers]) each.destroy()
  sockets.length = 0
  answers.length = 0
  came.length = 0
}

answer(async (message: LiveMessage): Promise<Waits | undefined> => {
  if (message.do === 'open') await open(message)
  else if (message.do === 'post') return post(message)
  else close()
  return undefined
})
