/**
 * `npm run bench`: each figure beside its floor or peer in the same run. `-- <part> ...` for some parts alone, `--quick`
 * for a short run, `--markdown` for a table to paste.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { watchMachine } from './machine.ts'
import { partNames } from './part-names.ts'
import type { PartMessage } from './part-worker.ts'
import { ask } from './queries/ask.ts'
import { type Figure, report } from './report.ts'
import { full, quick } from './size.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean' }, markdown: { type: 'boolean' } },
})
const chosen = partNames.filter((name) => positionals.length === 0 || positionals.includes(name))
const unknown = positionals.filter((name) => partNames.every((known) => known !== name))
if (unknown.length > 0) {
  console.error(`no part ${unknown.join(', ')}; there are ${partNames.join(', ')}`)
  process.exit(1)
}
const size = values.quick ? quick : full
const folder = mkdtempSync(join(tmpdir(), 'weir-bench-'))
const machine = watchMachine()
const figures: Figure[] = []
try {
  for (const name of chosen) {
    const worker = fork(new URL('part-worker.ts', import.meta.url))
    const message: PartMessage = { name, folder: join(folder, name), size }
    figures.push(...(await ask<Figure[]>(worker, message)))
    worker.disconnect()
    if (worker.exitCode === null) await once(worker, 'exit')
    rmSync(join(folder, name), { recursive: true, force: true })
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
console.log(`\n${machine.describe()}\n\n${report(figures, values.markdown ?? false)}`)
