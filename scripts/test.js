// `npm test`: installs what is missing, builds what changed, checks, tests. `npm test -- test/sql` runs some of them.

import { ensurePackages } from './packages.js'

ensurePackages()
// Not before: it needs packages.
await import('./tests/main.js')
