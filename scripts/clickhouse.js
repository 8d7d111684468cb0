// `npm run clickhouse`: ClickHouse's own SQL over the data folder of an embedded Weir that is stopped, with every database and
// no fence. `-- "SELECT ..."` runs one statement, else each line is one. It only reads, unless `--write` comes first. While
// Weir runs, ClickHouse refuses a second process on the folder: the port for analysts is the way then.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { ensurePackages } from './packages.js'

await ensurePackages()
const { Session } = await import('chdb')

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    write: { type: 'boolean', default: false },
    format: { type: 'string', default: 'PrettyCompactMonoBlock' },
  },
})
const folder = join(process.env.DATA_DIR || 'data', 'clickhouse')
if (!existsSync(folder)) throw new Error(`${folder} is not there: DATA_DIR names the data folder`)
const session = new Session(folder)
if (!values.write) session.query('SET readonly = 1')

/** @param {string} statement */
function run(statement) {
  try {
    process.stdout.write(session.query(statement, values.format))
    return 0
  } catch (error) {
    process.stderr.write(`${/** @type {Error} */ (error).message}\n`)
    return 1
  }
}

if (positionals.length > 0) {
  process.exitCode = Math.max(...positionals.map(run))
} else {
  const lines = createInterface({ input: process.stdin, output: process.stdout, prompt: 'clickhouse> ' })
  lines.prompt()
  for await (const line of lines) {
    if (line.trim() !== '') run(line)
    lines.prompt()
  }
}
session.close()
