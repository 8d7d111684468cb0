// `npm run check`: types, lint and format, layers, unused code.

import { runChecks } from './checks/checks.js'
import { ensurePackages } from './packages.js'

await ensurePackages()
await runChecks()
