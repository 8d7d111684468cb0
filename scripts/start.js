// `npm start`: installs what is missing, builds what changed, serves.
// The service runs in this process, so that a signal to it needs no one to pass it on.

import { ensureDist } from './dist.js'
import { ensurePackages } from './packages.js'

ensurePackages()
ensureDist()
await import(new URL('../dist/api/main.js', import.meta.url).href)
