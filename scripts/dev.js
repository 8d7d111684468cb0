// `npm run dev`: serves, and builds and serves anew after each change of a source. Arguments go to Node:
// `npm run dev -- --inspect`. A build that fails leaves the service as it is.

import { ensurePackages } from './packages.js'

await ensurePackages()
// Loaded only now: it needs packages.
const { serveChanges } = await import('./dev/serve-changes.js')
await serveChanges(process.argv.slice(2))
