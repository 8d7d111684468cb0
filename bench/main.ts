/**
 * `npm run bench`: each figure beside its floor or peer in the same run. `-- --quick` for a short run, `-- --markdown`
 * for a table to paste.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { history } from './history.ts'
import { createLoader } from './load.ts'
import { watchMachine } from './machine.ts'
import { type Figure, report } from './report.ts'
import { singleEvents } from './single-events.ts'
import { full, quick } from './size.ts'

const { values } = parseArgs({ options: { quick: { type: 'boolean' }, markdown: { type: 'boolean' } } })
const size = values.quick ? quick : full
const folder = mkdtempSync(join(tmpdir(), 'weir-bench-'))
const machine = watchMachine()
const loader = createLoader()
const figures: Figure[] = []
try {
  console.error('single events, in turn with an echo ...')
  figures.push(...(await singleEvents(join(folder, 'single'), loader, size)))
  console.error('a history in batches, queries on it, starts on it, each in turn with its peer ...')
  figures.push(...(await history(join(folder, 'history'), loader, size)))
} finally {
  await loader.close()
  rmSync(folder, { recursive: true, force: true })
}
console.log(`\n${machine.describe()}\n\n${report(figures, values.markdown ?? false)}`)
