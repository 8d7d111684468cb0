// Spares a test's broker most of its start: one compiler instead of two, and classes that were loaded before.

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { cache, ensureCached } from './cache.js'
import { startKafka } from './kafka.js'
import { shortLived } from './short-lived-java.js'

/** Java's options for brokers of tests: a start takes 2 s of a processor instead of 6.
 * @param {string} jars
 * @returns {Promise<string[]>} */
export async function quickJava(jars) {
  const { stderr } = spawnSync('java', ['-version'], { encoding: 'utf8' })
  const version = createHash('sha256').update(stderr).digest('hex').slice(0, 8)
  const place = join(cache, `${basename(jars)}-java-${version}.jsa`)
  const archive = await ensureCached(
    place,
    () => existsSync(place),
    async (draft) => {
      const folder = `${draft}.broker`
      const broker = await startKafka({ jars, folder, java: [...shortLived, `-XX:ArchiveClassesAtExit=${draft}`] })
      await broker.stop()
      rmSync(folder, { recursive: true })
      return existsSync(draft) ? draft : undefined
    },
  )
  return archive === undefined ? shortLived : [...shortLived, `-XX:SharedArchiveFile=${archive}`, '-Xlog:cds=off']
}
