// A real S3 server for the tests: versitygw, which serves a folder.

import { ensureGoProgram } from './go.js'

/** Builds versitygw where it is not there yet.
 * @returns {Promise<string | undefined>} the binary; undefined where it cannot be had, which is said */
export function ensureVersitygw() {
  return ensureGoProgram({
    target: 'github.com/versity/versitygw/cmd/versitygw',
    version: 'v1.7.0',
    duration: 'about a minute',
    otherwise: 'S3 TESTS SKIPPED',
  })
}
