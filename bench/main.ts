/**
 * `npm run bench`: each figure beside its floor or peer in the same run. `-- <part> ...` for some parts alone, `--quick`
 * for a short run, `--smoke` to see that all of it runs (`--share=2/5`: the second of five shares of a part's sections, where it
 * has some), `--readme` to write the figures into docs/figures.md.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { ask } from './ask.ts'
import { watchMachine } from './machine.ts'
import { withFigures } from './page.ts'
import { type PartName, partNames } from './part-names.ts'
import type { PartMessage } from './part-worker.ts'
import { asMarkdown, asText, type Figure } from './report.ts'
import { full, quick, smoke } from './size.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    ...{ quick: { type: 'boolean' }, smoke: { type: 'boolean' }, share: { type: 'string' } },
    readme: { type: 'boolean' },
  },
})
const chosen = partNames.filter((name) => positionals.length === 0 || positionals.includes(name))
const unknown = positionals.filter((name) => partNames.every((known) => known !== name))
if (unknown.length > 0) {
  console.error(`no part ${unknown.join(', ')}; there are ${partNames.join(', ')}`)
  process.exit(1)
}
if (values.readme && (values.quick || values.smoke)) {
  console.error('--readme writes figures of a full run alone: without --quick and --smoke')
  process.exit(1)
}
const share = /^(\d+)\/(\d+)$/.exec(values.share ?? '1/1')
const [first = 0, of = 0] = (share ?? []).slice(1).map(Number)
if (first < 1 || first > of || (values.share !== undefined && !values.smoke)) {
  console.error('--share=2/5, the second of five shares, goes with --smoke alone')
  process.exit(1)
}
const size = values.smoke ? { ...smoke, share: { taken: first - 1, of } } : values.quick ? quick : full
const folder = mkdtempSync(join(tmpdir(), 'weir-bench-'))
const machine = watchMachine()
const figures = new Map<PartName, Figure[]>()
try {
  for (const name of chosen) {
    const worker = fork(new URL(`part-worker${extname(import.meta.url)}`, import.meta.url))
    const message: PartMessage = { name, folder: join(folder, name), size }
    figures.set(name, await ask<Figure[]>(worker, message))
    worker.disconnect()
    if (worker.exitCode === null) await once(worker, 'exit')
    rmSync(join(folder, name), { recursive: true, force: true })
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
const described = machine.describe()
console.log(`\n${described}\n\n${asText([...figures.values()].flat())}`)
if (values.readme) {
  const path = new URL('../docs/figures.md', import.meta.url)
  const page = [...figures].reduce(
    (text, [part, rows]) => (rows.length === 0 ? text : withFigures(text, part, described, asMarkdown(rows))),
    readFileSync(path, 'utf8'),
  )
  writeFileSync(path, page)
}
