// `npm run build`: installs what is missing and builds what changed.

import { ensureDist } from './dist.js'
import { ensurePackages } from './packages.js'

ensurePackages()
ensureDist()
