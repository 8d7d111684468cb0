// Makes the files of dist/: the service in few files, since a start that opens a thousand takes half a second longer;
// each program at its place among the rooms; and the workflows as Temporal's workers load them, one file beside the
// rooms.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { root } from './processes/run.js'

/** The programs that are started, or loaded by their file's name. */
const programs = [
  'api/main.ts',
  'commands/key.ts',
  'commands/backup.ts',
  'commands/restore.ts',
  'infra/config.ts',
  'base/read-yaml.ts',
  'activities/graphs/threads/run-task.ts',
  'activities/imports/threads/read-parquet.ts',
  'activities/training/threads/run-task.ts',
  'activities/prediction/predict-block.ts',
  'activities/models/process/model-main.ts',
  'workflows/temporal.ts',
]

/** @param {string} folder of the repository, where it is built
 * @returns {import('esbuild').BuildOptions & { metafile: true }} */
export const optionsFor = (folder) => ({
  entryPoints: programs.map((program) => join(root, program)),
  absWorkingDir: root,
  outbase: root,
  outdir: join(root, folder),
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
})

async function bundle() {
  const { metafile } = await build(optionsFor('dist'))
  for (const file of Object.keys(metafile.outputs)) {
    // keepPlace counts on it.
    if (file.split('/').length !== 3 && read(file).includes('import.meta.url'))
      throw new Error(`${file} looks for files`)
  }
  const { bundleWorkflowCode, DefaultLogger } = await import('@temporalio/worker')
  const { code } = await bundleWorkflowCode({
    workflowsPath: join(root, 'dist/workflows/temporal.js'),
    logger: new DefaultLogger('ERROR'),
  })
  writeFileSync(join(root, 'dist/workflows.bundle.cjs'), code)
}

/** A module finds files beside it by `import.meta.url`, wherever its code has come to be: one folder below dist/.
 * @param {import('esbuild').OnLoadArgs} args
 * @returns {import('esbuild').OnLoadResult | undefined} */
export function keepPlace({ path }) {
  const text = read(path)
  if (!text.includes('import.meta.url')) return undefined
  const place = JSON.stringify(`../${path.slice(root.length).replace(/\.ts$/, '.js')}`)
  return { loader: 'ts', contents: text.replaceAll('import.meta.url', `new URL(${place}, import.meta.url).href`) }
}

/** @param {string} file */
function read(file) {
  return readFileSync(join(file.startsWith('/') ? '' : root, file), 'utf8')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundle()
