// Makes what `npm pack` packs: the build, its page, and the demo with its data. `npm run package` runs it, and packs.

import { cpSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { keepPlace, optionsFor } from './bundle.js'
import { ensureDist } from './dist.js'
import { ensurePackages } from './packages.js'
import { root } from './processes/run.js'

/** In the package the data lie beside the demo. */
const vega = '../../node_modules/vega-datasets/data/'
const data = ['airports.csv', 'flights-20k.json', 'seattle-weather.csv']
/** Schemas, requests and documents that the demo sends. */
const folders = ['airports', 'flights', 'routes', 'weather']

await ensurePackages()
ensureDist()
const demo = join(root, 'dist/examples')
await build({
  ...optionsFor('dist'),
  entryPoints: [join(root, 'examples/demo.ts')],
  splitting: false,
  plugins: [
    {
      name: 'places and data',
      setup: (bundler) =>
        bundler.onLoad({ filter: /\/examples\/.*\.ts$/ }, (args) => {
          const kept = keepPlace(args) ?? { contents: readFileSync(args.path, 'utf8'), loader: 'ts' }
          return { ...kept, contents: String(kept.contents).replaceAll(vega, '../data/') }
        }),
    },
  ],
})
for (const folder of folders)
  cpSync(join(root, 'examples', folder), join(demo, folder), {
    recursive: true,
    filter: (file) => !file.endsWith('.ts'),
  })
mkdirSync(join(demo, 'data'), { recursive: true })
for (const file of data) cpSync(join(root, 'node_modules/vega-datasets/data', file), join(demo, 'data', file))
