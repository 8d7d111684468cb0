// The process that looks at a script's model: `probe-main <model file> <columns>`. What it finds is its last line.

import { readFile } from 'node:fs/promises'
import { probeModel } from './probe-model.ts'

const [, , path = '', columns = ''] = process.argv
const found = await probeModel(await readFile(path), Number(columns))
process.stdout.write(`\n${JSON.stringify(found)}\n`)
