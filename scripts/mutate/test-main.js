// Started in a copy of the repository: builds it, runs the test files that are named, and sends what came of them.

import { ensureDist } from '../dist.js'
import { runGroup } from '../tests/group.js'
import { jsOf } from '../tests/mirror.js'
import { environment, mirrored, mirrorTests } from '../tests/mirrored.js'

/** A mutant may wait forever: a file that reports nothing for this long is stuck. */
const silence_ms = 100_000

const ending = new AbortController()
process.on('SIGTERM', () => ending.abort())

ensureDist()
await mirrorTests()
const tests = process.argv.slice(2)
const { outcomes } = await runGroup({
  files: tests.map((file) => `${mirrored}/${jsOf(file)}`),
  env: environment(),
  signal: ending.signal,
  limit_ms: silence_ms,
})
process.send?.(outcomes.map((outcome, at) => ({ ...outcome, file: tests[at] ?? outcome.file })))
process.disconnect()
