// `npm run build`: installs missing packages and builds changed sources.

import { ensureDist } from './dist.js'
import { ensurePackages } from './packages.js'

await ensurePackages()
ensureDist()
