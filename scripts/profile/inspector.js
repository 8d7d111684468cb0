// Node's inspector protocol, as far as profiles need it: the main thread, and workers through it.

import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'undici'

/** The inspector lists its workers at once; one that begins later has to wait for the next profile. */
const listing_ms = 300

/** @typedef {Record<string, any>} Values */
/** @typedef {{ name: string, ask(method: string, params?: Values): Promise<Values>, hear(event: string, take: (params: Values) => void): void }} Thread */

/** @param {string} place `host:port`
 * @returns {Promise<{ threads: Thread[], close(): void }>} */
export async function openInspector(place) {
  const url = await targetAt(place)
  if (!url) throw new Error(`no inspector at ${place}: start Weir with --inspect, or send it SIGUSR1`)
  const socket = new WebSocket(url)
  await new Promise((resolve, reject) => {
    socket.onopen = resolve
    socket.onerror = () => reject(new Error(`the inspector at ${place} cannot be reached`))
  })

  const main = createThread('main', (text) => socket.send(text))
  socket.onmessage = ({ data }) => main.take(data)
  /** @type {Map<string, ReturnType<typeof createThread>>} */
  const workers = new Map()
  main.hear('NodeWorker.attachedToWorker', ({ sessionId, workerInfo }) => {
    const send = (/** @type {string} */ message) => main.ask('NodeWorker.sendMessageToWorker', { sessionId, message })
    workers.set(sessionId, createThread(`worker-${workerInfo.workerId}`, send))
  })
  main.hear('NodeWorker.receivedMessageFromWorker', ({ sessionId, message }) => workers.get(sessionId)?.take(message))
  await main.ask('NodeWorker.enable', { waitForDebuggerOnStart: false })
  await sleep(listing_ms)
  return { threads: [main, ...workers.values()], close: () => socket.close() }
}

/** @param {string} place
 * @returns {Promise<string | undefined>} where the process listens for the protocol */
async function targetAt(place) {
  try {
    const answer = await fetch(`http://${place}/json/list`)
    const [target] = /** @type {{ webSocketDebuggerUrl?: string }[]} */ (await answer.json())
    return target?.webSocketDebuggerUrl
  } catch {
    return undefined
  }
}

/** @param {string} name
 * @param {(text: string) => unknown} send
 * @returns {Thread & { take(text: string): void }} */
function createThread(name, send) {
  let last = 0
  /** @type {Map<number, { resolve(values: Values): void, reject(error: Error): void }>} */
  const asked = new Map()
  /** @type {Map<string, (params: Values) => void>} */
  const ears = new Map()
  return {
    name,
    ask(method, params = {}) {
      const id = ++last
      send(JSON.stringify({ id, method, params }))
      return new Promise((resolve, reject) => asked.set(id, { resolve, reject }))
    },
    hear: (event, take) => void ears.set(event, take),
    take(text) {
      const { id, method, params, result, error } = JSON.parse(text)
      if (id === undefined) ears.get(method)?.(params)
      else if (error) asked.get(id)?.reject(new Error(`${name}: ${error.message}`))
      else asked.get(id)?.resolve(result)
      asked.delete(id)
    },
  }
}
