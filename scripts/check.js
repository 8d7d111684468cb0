// `npm run check`: types, lint and format, layers, what nobody uses.

import { runChecks } from './checks/checks.js'
import { ensurePackages } from './packages.js'

ensurePackages()
await runChecks()
