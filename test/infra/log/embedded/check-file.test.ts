import { copyFileSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { damageOf } from '../../../../infra/log/embedded/check-file.ts'
import { createLmdbLog } from '../../../../infra/log/embedded/log.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { folderOf, releases } from '../../../upgrades/folders.ts'

const page = 4096

/** The file of a log of many queues with short and long chunks, of which some were fed, and keys. */
async function logFile(): Promise<string> {
  const path = temporaryFolder()
  const { log, source } = createLmdbLog({ path, maxBytes: 1e9 })
  for (let n = 0; n < 300; n++) {
    const keyed = [{ key: `key ${n}`, answer: '{}', seq: n }]
    await log.append(`schema.stream${n % 40}`, Buffer.from(`${'x'.repeat(n * 40)}\n`), 1, keyed)
    if (n % 50 === 49) await source.drop(`schema.stream${n % 40}`)
  }
  await log.close()
  return join(path, 'log.mdb')
}

const damaged = (file: string, at: number, bytes: Buffer): string => {
  const copy = join(temporaryFolder(), 'log.mdb')
  const whole = readFileSync(file)
  bytes.copy(whole, at)
  writeFileSync(copy, whole)
  return copy
}

test('logs as they are written are sound, those of releases too', async (t) => {
  const file = await logFile()
  t.is(damageOf(file), undefined)
  for (const release of releases) t.is(damageOf(join(await folderOf(release), 'log/log.mdb')), undefined)
  const { log } = createLmdbLog({ path: temporaryFolder(), maxBytes: 1e6 })
  await log.close()
})

test('a log that a process writes to meanwhile is not called damaged', async (t) => {
  const path = temporaryFolder()
  const { log } = createLmdbLog({ path, maxBytes: 1e9, fsync: false })
  for (let n = 0; n < 200; n++) {
    const written = log.append('s.st', Buffer.from(`${'x'.repeat(n * 30)}\n`), 1)
    t.is(damageOf(join(path, 'log.mdb')), undefined)
    await written
  }
  await log.close()
})

test('pages that are lost, cut off or overwritten are told, each in a sentence', async (t) => {
  const file = await logFile()
  t.regex(String(damageOf(damaged(file, 0, Buffer.alloc(2 * page)))), /first page/)
  t.regex(String(damageOf(damaged(file, page, Buffer.alloc(page)))), /second page/)
  const copy = join(temporaryFolder(), 'log.mdb')
  copyFileSync(file, copy)
  truncateSync(copy, Math.floor(statSync(file).size / 2))
  t.regex(String(damageOf(copy)), /it has \d+ bytes, and \d+ are in use/)
  truncateSync(copy, 100)
  t.regex(String(damageOf(copy)), /too short/)
})

test('garbage in any page that a start reads is told, or is in lines, which have a checksum', async (t) => {
  const file = await logFile()
  const count = statSync(file).size / page
  const garbage = Buffer.alloc(page, 0xa7)
  let told = 0
  for (let number = 2; number < count; number++) {
    const found = damageOf(damaged(file, number * page, garbage))
    if (found === undefined) continue
    t.regex(found, /page \d+/)
    told++
  }
  t.true(told >= 8, `${told} of ${count} pages`)
})
