import { fileURLToPath } from 'node:url'
import { isDistFresh } from '../../scripts/dist.js'

/** The workflows as `npm run build` has bundled them; undefined where a source has changed since. */
export const builtBundle = isDistFresh()
  ? fileURLToPath(new URL('../../dist/workflows.bundle.cjs', import.meta.url))
  : undefined
