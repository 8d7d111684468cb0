// `npm run lock`, after a dependency was added or changed: see lock.js.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { completed, missingFrom } from './lock.js'
import { read, root, say } from './processes/run.js'

const lock = JSON.parse(read('package-lock.json'))
writeFileSync(join(root, 'package-lock.json'), `${JSON.stringify(completed(lock), null, 2)}\n`)
say(`package-lock.json: ${Object.keys(missingFrom(lock)).length} builds for other platforms added`)
