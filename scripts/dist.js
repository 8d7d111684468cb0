// dist/ is what the sources say, or is made so.

import { cpSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compile, fingerprint, read, root, run, say } from './run.js'

export const rooms = ['sql', 'infra', 'activities', 'workflows', 'api']

/** What the service reads beside its code: copied as it is. */
const assets = /^(sql\/migrations\/.*\.sql|infra\/clickhouse\/access\.xml)$/

const stamp = 'dist/.weir-sources'
const settings = ['package-lock.json', 'tsconfig.json', 'tsconfig.build.json', 'scripts/dist.js', 'scripts/bundle.js']

const sourceFiles = () => rooms.flatMap(filesIn).filter((file) => file.endsWith('.ts') || assets.test(file))

/** @param {string[]} sources */
const stampOf = (sources) => fingerprint([...sources.sort(), ...settings])

/** Whether dist/ is what the sources say. */
export const isDistFresh = () => read(stamp) === stampOf(sourceFiles())

/** Compiles the rooms if a source changed since. Ends the process if they don't compile. */
export function ensureDist() {
  const sources = sourceFiles()
  const wanted = stampOf(sources)
  if (read(stamp) === wanted) return
  say('building…')
  const code = compile('tsconfig.build.json')
  if (code !== 0) process.exit(code)
  dropOrphans(new Set(sources))
  for (const file of sources.filter((source) => assets.test(source))) cpSync(join(root, file), join(root, 'dist', file))
  bundleWorkflows()
  writeFileSync(join(root, stamp), wanted)
}

/** In a process of its own: a bundler is not for a service to carry along. */
function bundleWorkflows() {
  const paths = ['scripts/bundle.js', 'dist/workflows/temporal.js', 'dist/workflows.bundle.cjs']
  const code = run(
    process.execPath,
    paths.map((path) => join(root, path)),
  )
  if (code !== 0) process.exit(code)
}

/** Removes what was built from a source that is no longer there: a migration left over would still run.
 * @param {Set<string>} sources */
function dropOrphans(sources) {
  for (const file of rooms.flatMap((room) => filesIn(`dist/${room}`))) {
    const source = file.slice('dist/'.length)
    if (!sources.has(source.replace(/\.js$/, '.ts')) && !sources.has(source)) rmSync(join(root, file))
  }
}

/** @param {string} folder relative to the repository
 * @returns {string[]} its files, those of its folders too; none if there is no such folder */
function filesIn(folder) {
  if (!existsSync(join(root, folder))) return []
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    return entry.isDirectory() ? filesIn(path) : [path]
  })
}
