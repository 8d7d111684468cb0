// `npm run check`: types, lint and format, layers.

import { runChecks } from './checks.js'
import { ensurePackages } from './packages.js'

ensurePackages()
await runChecks()
