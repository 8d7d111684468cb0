// ClickHouse alone, by chDB's own package: a process that runs no TypeScript and nothing of Weir.
import { readFileSync } from 'node:fs'
import { Session } from 'chdb'
import { answer } from '../answer.js'

/** The number of inserts at a time. */
const inserters = 2
/** @type {Session[]} */
const sessions = []

/** @param {string} sql @param {'TSV' | 'TSVRaw' | 'JSON' | 'JSONEachRow'} format */
async function text(sql, format) {
  const result = await sessions[0]?.queryAsync(sql, { format })
  return Buffer.from(result?.bytes() ?? []).toString('utf8')
}

/**
 * Ready bytes into a table. Resolves to the seconds that it took.
 * @param {string} table @param {readonly string[]} files each one statement
 */
async function insert(table, files) {
  const bodies = files.map((file) => readFileSync(file))
  const started = performance.now()
  await Promise.all(
    sessions.map(async (session) => {
      for (let values = bodies.shift(); values; values = bodies.shift())
        await session.insert({ table, values, format: 'JSONEachRow' })
    }),
  )
  return (performance.now() - started) / 1000
}

/** Asks the statements in turn. Resolves to the time of each, in ms. @param {readonly string[]} sql @param {number} times */
async function query(sql, times) {
  const times_ms = []
  for (let i = 0; i < times; i++) {
    const started = performance.now()
    await text(sql[i % sql.length] ?? '', 'JSONEachRow')
    times_ms.push(performance.now() - started)
  }
  return times_ms
}

answer(async (/** @type {import('./peer.ts').PeerMessage} */ message) => {
  if (message.kind === 'open') {
    for (let i = 0; i < inserters; i++) sessions.push(new Session(message.path))
    return text('SELECT 1', 'TSV')
  }
  if (message.kind === 'insert') return insert(message.table, message.files)
  if (message.kind === 'query') return query(message.sql, message.times)
  return text(message.sql, message.format)
})
