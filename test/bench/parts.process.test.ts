/** Every part of the benchmark at sizes at which its figures mean nothing. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import test from 'ava'
import { partNames } from '../../bench/part-names.ts'
import { programOf } from '../support/program.ts'

const run = promisify(execFile)

for (const part of partNames)
  test.serial(`the part ${part} of the benchmark runs to its end and tells figures`, async (t) => {
    t.timeout(1_500_000)
    const { stdout } = await run(process.execPath, [...programOf('bench/main.ts'), part, '--smoke'])
    const rows = stdout.split('\n').slice(stdout.split('\n').findIndex((line) => line.startsWith('─')) + 1)
    t.true(rows.filter((row) => row.trim() !== '').length > 0, stdout)
    t.notRegex(stdout, /NaN|Infinity|undefined/)
  })
