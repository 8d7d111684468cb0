// The checks that the code must pass before its tests run.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { writeConsoleTypes } from '../console/types.js'
import { rooms } from '../dist.js'
import { missingFrom } from '../lock.js'
import { checkTypes, compilerName, read, root, runBeside, runTool, say } from '../processes/run.js'
import { checkCitations } from './citations.js'
import { checkProse } from './prose.js'

/** By name, each answering with an exit code.
 * @type {Record<string, () => number | Promise<number>>} */
const checks = {
  lock: checkLock,
  types: () => checkTypes('tsconfig.json'),
  page: () => checkTypes('console/tsconfig.json'),
  lint: () => runTool('@biomejs/biome/bin/biome', ['check', '--error-on-warnings']),
  layers: () =>
    runTool(
      'dependency-cruiser/bin/dependency-cruise.mjs',
      [...rooms, 'console', 'clients/node/src', 'clients/node/cli'].filter(hasRoom),
    ),
  unused: () => runTool('knip/bin/knip.js', ['--no-config-hints']),
  patterns: () => runBeside(process.execPath, ['scripts/patterns.js']),
  citations: checkCitations,
  english: checkProse,
}

/** Runs the checks beside each other. Ends the process if any of them fails. */
export async function runChecks() {
  writeConsoleTypes()
  say(`checking, types by ${compilerName()}`)
  const codes = await Promise.all(Object.entries(checks).map(([name, check]) => timed(name, check)))
  const code = codes.find((code) => code !== 0)
  if (code !== undefined) process.exit(code)
}

/** Says how a step ended and how long it took.
 * @param {string} name
 * @param {() => number | Promise<number>} step
 * @returns {Promise<number>} the step's exit code */
export async function timed(name, step) {
  const start = performance.now()
  const code = await step()
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  say(`${code === 0 ? 'ok    ' : 'FAILED'} ${name.padEnd(9)} ${seconds} s`)
  return code
}

function checkLock() {
  const missing = Object.keys(missingFrom(JSON.parse(read('package-lock.json'))))
  if (missing.length === 0) return 0
  say(`package-lock.json lacks ${missing.join(', ')}: npm run lock`)
  return 1
}

/** @param {string} room */
function hasRoom(room) {
  return existsSync(join(root, room))
}
