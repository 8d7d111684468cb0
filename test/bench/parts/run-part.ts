import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import test from 'ava'
import type { PartName } from '../../../bench/part-names.ts'
import { shortLived } from '../../../scripts/parts/short-lived-java.js'
import { programOf } from '../../support/program.ts'
import { rounds, turn } from '../../support/random/seed.ts'

const run = promisify(execFile)

const env = { ...process.env, JAVA_TOOL_OPTIONS: [process.env.JAVA_TOOL_OPTIONS, ...shortLived].join(' ').trim() }

/** A part of the benchmark at sizes at which its figures mean nothing; the gate takes one of so many shares of its sections. */
export function runsPart(part: PartName, shares = 1): void {
  test(`the part ${part} of the benchmark runs to its end and tells figures`, async (t) => {
    t.timeout(600_000)
    const of = rounds(1, shares)
    const share = `--share=${(turn % of) + 1}/${of}`
    const { stdout, stderr } = await run(process.execPath, [...programOf('bench/main.ts'), part, '--smoke', share], {
      env,
    })
    const rows = stdout.split('\n').slice(stdout.split('\n').findIndex((line) => line.startsWith('─')) + 1)
    // A share of sections over Kafka alone has none where there is no Kafka.
    const isAway = of > 1 && /^NO KAFKA:/m.test(stderr)
    t.true(isAway || rows.some((row) => row.trim() !== ''), stdout)
    t.notRegex(stdout, /NaN|Infinity|undefined/)
  })
}
