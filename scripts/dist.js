// Makes dist/ from the sources where it is not theirs.

import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeConsoleTypes } from './console/types.js'
import { fingerprint, read, root, run, say } from './processes/run.js'

export const rooms = ['base', 'sql', 'learn', 'infra', 'activities', 'workflows', 'jobs', 'commands', 'api']

/** Files that the service reads beside its code: copied as they are. */
const assets = /^(sql\/migrations\/.*\.sql|infra\/clickhouse\/access\.xml|api\/document\/examples\.json)$/

const stamp = 'dist/.weir-sources'
const commitFile = 'dist/commit.json'
const commitLength = 12
const consoleStamp = 'dist/console/.weir-sources'
const settings = ['package-lock.json', 'tsconfig.json', 'scripts/dist.js', 'scripts/bundle.js']

const sourceFiles = () => rooms.flatMap(filesIn).filter((file) => file.endsWith('.ts') || assets.test(file))

/** @param {string[]} sources */
const stampOf = (sources) => fingerprint([...sources.sort(), ...settings])

/** Whether dist/ was made from the sources as they are. */
export const isDistFresh = () => read(stamp) === stampOf(sourceFiles())

/** Builds the rooms, and the page, if a source changed since. Ends the process if they don't build; types are `npm test`'s
 * to check. */
export function ensureDist() {
  ensureRooms()
  writeCommit()
  ensureConsole()
}

function ensureRooms() {
  const sources = sourceFiles()
  const wanted = stampOf(sources)
  if (read(stamp) === wanted) return
  say('building…')
  // Files built from a source that is no longer there go too: a migration left over would still run.
  const made = existsSync(join(root, 'dist')) ? readdirSync(join(root, 'dist')) : []
  for (const name of made) if (name !== 'console') rmSync(join(root, 'dist', name), { recursive: true, force: true })
  // In a process of its own: a bundler is not for a service to carry along.
  const code = run(process.execPath, [join(root, 'scripts/bundle.js')])
  if (code !== 0) process.exit(code)
  copyAssets('dist')
  writeFileSync(join(root, stamp), wanted)
}

/** The commit of a build: the one that it is told, where it has no git, else git's.
 * @param {{ WEIR_COMMIT?: string | undefined }} environment */
export const commitOf = ({ WEIR_COMMIT }) => (WEIR_COMMIT || gitCommit())?.slice(0, commitLength)

/** Leaves the commit beside the build. */
function writeCommit() {
  const commit = commitOf(process.env)
  const wanted = commit ? `${JSON.stringify({ commit })}\n` : ''
  if (read(commitFile) === wanted) return
  if (wanted === '') rmSync(join(root, commitFile), { force: true })
  else writeFileSync(join(root, commitFile), wanted)
}

/** Nothing where the sources are no clone, or git is not installed. */
function gitCommit() {
  const found = spawnSync('git', ['rev-parse', '--show-prefix', 'HEAD'], { cwd: root, encoding: 'utf8' })
  const [prefix, commit] = found.status === 0 ? found.stdout.split('\n') : []
  // A prefix means that the repository is another one, in which the sources lie.
  return prefix === '' ? commit : undefined
}

/** Builds the page alone. */
export function ensureConsole() {
  if (!existsSync(join(root, 'console'))) return
  writeConsoleTypes()
  const wanted = fingerprint([
    ...[...filesIn('console'), ...filesIn('docs').filter((file) => file.endsWith('.md'))].sort(),
    'package-lock.json',
  ])
  if (read(consoleStamp) === wanted) return
  mkdirSync(join(root, 'dist'), { recursive: true })
  const code = run(process.execPath, [join(root, 'console/build.js'), join(root, 'dist/console')])
  if (code !== 0) process.exit(code)
  writeFileSync(join(root, consoleStamp), wanted)
}

/** @param {string} folder of the repository, where the rooms are built */
export function copyAssets(folder) {
  const found = sourceFiles().filter((source) => assets.test(source))
  for (const file of found) cpSync(join(root, file), join(root, folder, file))
}

/** @param {string} folder relative to the repository
 * @returns {string[]} its files, with the files of its folders; empty if there is no such folder */
function filesIn(folder) {
  if (!existsSync(join(root, folder))) return []
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    return entry.isDirectory() ? filesIn(path) : [path]
  })
}
