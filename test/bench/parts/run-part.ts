import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import test from 'ava'
import type { PartName } from '../../../bench/part-names.ts'
import { programOf } from '../../support/program.ts'

const run = promisify(execFile)

/** A part of the benchmark at sizes at which its figures mean nothing. */
export function runsPart(part: PartName): void {
  test(`the part ${part} of the benchmark runs to its end and tells figures`, async (t) => {
    t.timeout(600_000)
    const { stdout } = await run(process.execPath, [...programOf('bench/main.ts'), part, '--smoke'])
    const rows = stdout.split('\n').slice(stdout.split('\n').findIndex((line) => line.startsWith('─')) + 1)
    t.true(rows.filter((row) => row.trim() !== '').length > 0, stdout)
    t.notRegex(stdout, /NaN|Infinity|undefined/)
  })
}
