// `npm run log`: the embedded log under DATA_DIR, also while Weir runs: each queue with its lines that are not in ClickHouse
// yet, batches that are begun, and doubts. `-- shop.visits` prints the lines of a queue. It only reads.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ensurePackages } from './packages.js'

await ensurePackages()
const { open } = await import('lmdb')

const file = join(process.env.DATA_DIR || 'data', 'log', 'log.mdb')
if (!existsSync(file)) throw new Error(`${file} is not there: DATA_DIR names the data folder`)

const root = open({ path: file, readOnly: true, maxDbs: 16 })
/** @type {import('lmdb').Database<Buffer, [queue: string, position: number, length: number]>} */
const chunks = root.openDB({ name: 'chunks', encoding: 'binary' })
const [queue] = process.argv.slice(2)

if (queue === undefined) {
  /** @type {Map<string, { queue: string, chunks: number, rows: number, bytes: number, oldest: string }>} */
  const queues = new Map()
  for (const { key, value } of chunks.getRange()) {
    const [name, position, length] = key
    const known = queues.get(name) ?? { queue: name, chunks: 0, rows: 0, bytes: 0, oldest: timeOf(position) }
    const { oldest } = known
    const rows = known.rows + value.readUInt32BE(0)
    queues.set(name, { queue: name, chunks: known.chunks + 1, rows, bytes: known.bytes + length, oldest })
  }
  console.log(`log ${Number(root.openDB({ name: 'state' }).get('id')).toString(36)}: ${queues.size} queues with lines`)
  console.table([...queues.values()])
  for (const name of ['batches', 'doubts']) {
    const found = [...root.openDB({ name }).getRange()]
    console.log(`${name}: ${found.length}`)
    for (const { key, value } of found) console.log(`  ${String(key)} ${JSON.stringify(value)}`)
  }
} else {
  for (const { key, value } of chunks.getRange({ start: [queue, 0, 0], end: [queue, Number.MAX_SAFE_INTEGER, 0] })) {
    // Before the lines stand the number of rows and, since there are any, a checksum.
    process.stdout.write(value.subarray(value.length - key[2]))
  }
}
await root.close()

/** @param {number} position microseconds since 1970 */
function timeOf(position) {
  return new Date(position / 1000).toISOString()
}
