// The repository's mirror for its tests, and what their processes are told.

import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { rooms } from '../dist.js'
import { root } from '../processes/run.js'
import { mirror } from './mirror.js'

/** Folders of modules that tests are made of; scripts are JavaScript already. */
const folders = [...rooms, 'console', 'test', 'bench', 'examples', 'clients']
export const sourceFolders = [...folders, 'scripts']

/** Where the tests are kept as JavaScript. */
export const mirrored = '.tests'

/** As `npm start` and `npm test` have it: embedded ClickHouse keeps one for as long as a statement runs. */
const threads = '48'

export async function mirrorTests() {
  const whole = ['scripts', 'dist', 'docs', 'skills', 'llms.txt', 'README.md', 'package.json']
  // Beside the rooms, as in dist/: where workers look for it before they bundle the workflows themselves.
  const bundle = { 'workflows.bundle.cjs': 'dist/workflows.bundle.cjs' }
  const links = { ...Object.fromEntries(whole.map((name) => [name, name])), ...bundle }
  await mirror({ from: root, to: join(root, mirrored), folders, links })
  return 0
}

/** The environment of test processes; the seed is the one that was given, or a new one. */
export const environment = () => ({
  UV_THREADPOOL_SIZE: threads,
  ...process.env,
  WEIR_SEED: process.env.WEIR_SEED ?? String(randomInt(2 ** 31)),
})
