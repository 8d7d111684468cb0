// Ports of this machine for servers that are started here.

import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the range that outgoing connections are given, or one of them might hold the port of a server that is down. */
const [lowest, count] = [20_000, 12_000]

/** Processes that were started one after the other begin far apart, so that no two choose the same. */
let next = (process.pid * 13) % count

/** A port that nothing listens on just now. */
export async function freePort() {
  for (;;) {
    const port = lowest + next
    next = (next + 1) % count
    if (await isFree(port)) return port
  }
}

/** @param {number} port */
export async function isFree(port) {
  const server = createServer()
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening')
    await once(server.close(), 'close')
    return true
  } catch {
    return false
  }
}
