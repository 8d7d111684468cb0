// `npm test`: installs missing packages, builds changed sources, checks, tests. `npm test -- test/sql` runs some of
// them.

import { ensurePackages } from './packages.js'

await ensurePackages()
// Loaded only now: it needs packages.
await import('./tests/main.js')
