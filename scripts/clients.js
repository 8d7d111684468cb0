// Builds clients/node: the module for programs, its types, and the command `weir` as one file with what it needs.
// `npm pack` in clients/node then makes the package.

import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { root, runTool } from './processes/run.js'

const folder = join(root, 'clients/node')
const dist = join(folder, 'dist')

/** @type {import('esbuild').BuildOptions} */
const common = { bundle: true, format: 'esm', logLevel: 'warning', legalComments: 'eof' }
/** Packages that the command needs are CommonJS in part. */
const requireBanner = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)"

export async function buildClient() {
  rmSync(dist, { recursive: true, force: true })
  mkdirSync(dist, { recursive: true })
  await build({
    ...common,
    entryPoints: [join(folder, 'src/index.ts')],
    outfile: join(dist, 'index.js'),
    platform: 'neutral',
    target: 'es2022',
  })
  await build({
    ...common,
    entryPoints: [join(folder, 'cli/main.ts')],
    outfile: join(dist, 'weir.js'),
    platform: 'node',
    target: 'node20',
    minifySyntax: true,
    banner: { js: requireBanner },
  })
  const declared = ['--declaration', '--emitDeclarationOnly', '--noEmit', 'false', '--rootDir', 'clients/node']
  await runTool('typescript-native/bin/tsc', [
    ...['-p', 'clients/node/tsconfig.json', ...declared, '--outDir', 'clients/node/dist'],
  ])
  copyFileSync(join(folder, 'src/api.d.ts'), join(dist, 'src/api.d.ts'))
  for (const file of ['LICENSE', 'NOTICE']) copyFileSync(join(root, file), join(folder, file))
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  if (manifest.version !== version)
    writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ ...manifest, version }, null, 2)}\n`)
  return 0
}

if (import.meta.url === `file://${process.argv[1]}`) process.exitCode = await buildClient()
