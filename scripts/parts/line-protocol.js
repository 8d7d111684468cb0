// InfluxData's corpus of line protocol, 6,615 texts with what they say: a file of the Go module that has their decoder (MIT).

import { execFile } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { say } from '../processes/run.js'
import { cache, ensureCached, runs } from './cache.js'
import { ensureGoBuild } from './go.js'

const module = 'github.com/influxdata/line-protocol/v2@v2.2.1'
const name = 'corpus.json'

/** @returns {Promise<string | undefined>} the folder with the file; undefined where it cannot be had, which is said */
export async function ensureLineProtocolCorpus() {
  const place = join(cache, 'line-protocol-2.2.1')
  return ensureCached(
    place,
    () => existsSync(join(place, name)),
    async (draft) => {
      if (!runs('go', ['version'])) {
        say('CORPUS OF LINE PROTOCOL SKIPPED: it comes with a Go module, and there is no Go here (https://go.dev/dl)')
        return undefined
      }
      try {
        mkdirSync(draft, { recursive: true })
        const { stdout } = await promisify(execFile)('go', ['mod', 'download', '-json', module], { cwd: draft })
        copyFileSync(join(JSON.parse(stdout).Dir, 'lineprotocol', 'testdata', name), join(draft, name))
        return draft
      } catch (error) {
        say(`CORPUS OF LINE PROTOCOL SKIPPED: ${/** @type {Error} */ (error).message}`)
        return undefined
      }
    },
  )
}

/** @returns {Promise<string | undefined>} a program on that decoder; undefined where it cannot be had, which is said */
export const ensureLineProtocolDecoder = () =>
  ensureGoBuild({
    name: 'line-protocol-decoder',
    folder: 'test/activities/capture/line-protocol',
    otherwise: 'TESTS AGAINST THE DECODER OF LINE PROTOCOL SKIPPED',
  })
