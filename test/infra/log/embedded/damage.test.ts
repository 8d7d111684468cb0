/** Chunks of the log that are not as they were written. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import fc from 'fast-check'
import { open } from 'lmdb'
import { decodeChunk, encodeChunk, leftOf } from '../../../../infra/log/embedded/chunk.ts'
import { createFeeder } from '../../../../infra/log/embedded/feeder.ts'
import type { Feed } from '../../../../infra/log/embedded/feeder-insert.ts'
import { createLmdbLog } from '../../../../infra/log/embedded/log.ts'
import { silentLogger } from '../../../../infra/logger.ts'
import { createMetrics } from '../../../../infra/metrics.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const linesOf = (name: string, rows: number): Buffer =>
  Buffer.from(Array.from({ length: rows }, (_, n) => `{"_pk":1,"_seq":${n},"name":"${name}"}\n`).join(''))

/** A log of three chunks of 200 events each; where the second lies in its file. */
async function writtenLog() {
  const path = temporaryFolder()
  const { log } = createLmdbLog({ path, maxBytes: 1e9 })
  for (const name of ['one', 'two', 'six']) await log.append('s.st', linesOf(name, 200), 200)
  await log.close()
  const file = join(path, 'log.mdb')
  return { path, file, at: readFileSync(file).indexOf('"name":"two"') }
}

/** Feeds all that a log has; answers what came in, and what was rejected. */
async function feedAll(path: string) {
  const { log, source, clock } = createLmdbLog({ path, maxBytes: 1e9 })
  const inserted: Buffer[] = []
  const rejected: string[] = []
  const reasons = new Set<string>()
  const feed: Feed = {
    insert: async (_queue, lines) => void inserted.push(Buffer.from(lines)),
    isThere: async () => false,
    lackingOfGraph: async (_graph, lines) => lines,
    reject: async (_queue, lines, reason) => {
      rejected.push(...lines.map((line) => line.toString('latin1')))
      reasons.add(reason)
    },
  }
  const metrics = createMetrics()
  const feeder = createFeeder({ source, feed, clock, logger: silentLogger(), metrics })
  await feeder.resume(() => 0)
  await feeder.caughtUp(['s.st'], 20_000)
  await feeder.close()
  const [counted] = (await metrics.eventsRejected.get()).values
  const left = [...source.chunks('s.st')].length
  await log.close()
  return { inserted: Buffer.concat(inserted), rejected, reasons: [...reasons], counted: counted?.value ?? 0, left }
}

const well = Buffer.concat([linesOf('one', 200), linesOf('six', 200)])

test('a digit that was changed on the disk keeps its chunk out, and each of its events is counted', async (t) => {
  const { path, file, at } = await writtenLog()
  const bytes = readFileSync(file)
  bytes.write('7', at - 2)
  writeFileSync(file, bytes)
  const { inserted, rejected, reasons, counted, left } = await feedAll(path)
  t.deepEqual(inserted, well)
  t.deepEqual([rejected.length, counted, left], [200, 200, 0])
  t.regex(reasons.join(), /^a part of the log with 200 events is damaged: its checksum differs$/)
  t.true(rejected[5]?.includes('"_seq":5,"name":"two"'))
})

test('of a chunk with a page of zeros all events are counted, although fewer lines are left', async (t) => {
  const { path, file, at } = await writtenLog()
  writeFileSync(file, readFileSync(file).fill(0, at + 1000, at + 5096))
  const { inserted, rejected, counted } = await feedAll(path)
  t.deepEqual(inserted, well)
  t.deepEqual([rejected.length, counted], [200, 200])
})

test('a chunk of an earlier version, which has no checksum, is fed', async (t) => {
  const path = temporaryFolder()
  const { log } = createLmdbLog({ path, maxBytes: 1e9 })
  await log.close()
  const root = open({ path: join(path, 'log.mdb'), maxDbs: 16 })
  const lines = linesOf('old', 3)
  const header = Buffer.alloc(4)
  header.writeUInt32BE(3)
  await root
    .openDB({ name: 'chunks', encoding: 'binary' })
    .put(['s.st', 17, lines.length], Buffer.concat([header, lines]))
  await root.close()
  const { inserted, rejected } = await feedAll(path)
  t.deepEqual([inserted, rejected], [lines, []])
})

test('a changed byte anywhere in a chunk is found, and as many lines are left as it had, or as there are', (t) => {
  const rows = fc.integer({ min: 1, max: 30 })
  fc.assert(
    fc.property(rows, fc.nat(), fc.integer({ min: 1, max: 255 }), (rows, place, change) => {
      const lines = linesOf('x', rows)
      const value = encodeChunk([lines], rows)
      t.deepEqual(decodeChunk(['q', 1, lines.length], value), { position: 1, rows, lines })
      const at = place % value.length
      value[at] = (value[at] ?? 0) ^ change
      const chunk = decodeChunk(['q', 1, lines.length], value)
      t.truthy(chunk.damage)
      t.is(leftOf(chunk).length, chunk.rows)
      if (at >= 4) t.is(chunk.rows, rows)
    }),
  )
})
