// Helm for the tests of the chart: `helm` where it is on PATH, else built once with Go.

import { runs } from './cache.js'
import { ensureGoProgram } from './go.js'

const asked = ['version', '--short']

/** Builds Helm where it is not there yet.
 * @returns {Promise<string | undefined>} the binary; undefined where it cannot be had, which is said */
export async function ensureHelm() {
  if (runs('helm', asked)) return 'helm'
  return ensureGoProgram({
    target: 'helm.sh/helm/v3/cmd/helm',
    version: 'v3.21.4',
    duration: 'about two minutes',
    otherwise: 'HELM TESTS SKIPPED',
    asked,
  })
}
