// `npm start`: installs missing packages, builds changed sources, serves. The service runs in this process, so that no
// parent has to pass signals on to it.

import { ensureDist } from './dist.js'
import { ensurePackages } from './packages.js'

await ensurePackages()
ensureDist()
await import(new URL('../dist/api/main.js', import.meta.url).href)
