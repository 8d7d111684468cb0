// What dist/ holds: the service in few files, since a start that opens a thousand takes half a second longer; each
// program at its place among the rooms; and the workflows as Temporal's workers load them, one file beside the rooms.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker'
import { build } from 'esbuild'
import { root } from './processes/run.js'

/** What is started, or loaded by its file's name. */
const programs = [
  'api/main.ts',
  'commands/migrate.ts',
  'commands/key.ts',
  'commands/backup.ts',
  'commands/restore.ts',
  'infra/config.ts',
  'activities/graphs/threads/run-task.ts',
  'activities/models/threads/run-task.ts',
  'activities/models/predict/predict-block.ts',
  'activities/models/apart/model-main.ts',
  'workflows/temporal.ts',
]

const { outputFiles } = await build({
  entryPoints: programs.map((program) => join(root, program)),
  outbase: root,
  outdir: join(root, 'dist'),
  chunkNames: 'shared/[name]-[hash]',
  bundle: true,
  splitting: true,
  packages: 'external',
  format: 'esm',
  platform: 'node',
  target: 'node20',
  tsconfig: join(root, 'tsconfig.json'),
  plugins: [{ name: 'places', setup: (build) => build.onLoad({ filter: /\.ts$/ }, keepPlace) }],
  logLevel: 'warning',
  write: true,
  metafile: true,
}).then(({ metafile }) => ({ outputFiles: Object.keys(metafile.outputs) }))

for (const file of outputFiles) {
  // keepPlace counts on it.
  if (file.split('/').length !== 3 && read(file).includes('import.meta.url')) throw new Error(`${file} looks for files`)
}

const { code } = await bundleWorkflowCode({
  workflowsPath: join(root, 'dist/workflows/temporal.js'),
  logger: new DefaultLogger('ERROR'),
})
writeFileSync(join(root, 'dist/workflows.bundle.cjs'), code)

/** A module finds files beside it by `import.meta.url`, wherever its code has come to be: one folder below dist/.
 * @param {import('esbuild').OnLoadArgs} args
 * @returns {import('esbuild').OnLoadResult | undefined} */
function keepPlace({ path }) {
  const text = read(path)
  if (!text.includes('import.meta.url')) return undefined
  const place = JSON.stringify(`../${path.slice(root.length).replace(/\.ts$/, '.js')}`)
  return { loader: 'ts', contents: text.replaceAll('import.meta.url', `new URL(${place}, import.meta.url).href`) }
}

/** @param {string} file */
function read(file) {
  return readFileSync(join(file.startsWith('/') ? '' : root, file), 'utf8')
}
