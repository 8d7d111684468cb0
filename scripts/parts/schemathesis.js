// Schemathesis, which makes requests by a service's OpenAPI document, and compares the answers with it.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensurePythonPackages } from './python-packages.js'

const packages = [
  'schemathesis==4.32.5',
  'anyio==4.16.0',
  'certifi==2026.10.18',
  'charset-normalizer==3.5.2',
  'click==8.5.1',
  'graphql-core==3.3.2',
  'harfile==0.6.0',
  'hypothesis==6.170.15',
  'hypothesis-graphql==0.13.5',
  'idna==3.20',
  'iniconfig==2.3.1',
  'jsonschema_rs==0.60.3',
  'markdown-it-py==4.3.0',
  'MarkupSafe==3.0.4',
  'mdurl==0.1.2',
  'packaging==26.3',
  'pluggy==1.7.0',
  'Pygments==2.21.0',
  'pyrate-limiter==4.5.1',
  'pytest==9.2.0',
  'PyYAML==6.0.3',
  'requests==2.34.2',
  'rich==15.0.0',
  'sortedcontainers==2.4.0',
  'typing_extensions==4.16.0',
  'urllib3==2.8.0',
  'Werkzeug==3.1.9',
]

/** No 5xx, and no answer outside the document. */
const checks =
  'not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,response_schema_conformance'

/** @returns {Promise<string | undefined>} a folder for PYTHONPATH; undefined where it cannot be had, which is said */
export const ensureSchemathesis = () => ensurePythonPackages('schemathesis', packages)

/** @param {object} run
 * @param {string} run.place a folder for PYTHONPATH
 * @param {string} run.folder for the files that it writes
 * @param {unknown} run.document
 * @param {string} run.url where the service listens
 * @param {number} run.seed
 * @param {number} run.examples requests a call
 * @param {string[]} run.phases
 * @param {(text: string) => void} [run.say] takes its output as it comes
 * @returns {Promise<{ code: number, said: string }>} 0 where nothing was found */
export async function runSchemathesis({ place, folder, document, url, seed, examples, phases, say }) {
  const file = join(folder, 'openapi.json')
  writeFileSync(file, JSON.stringify(document))
  const options = [
    ...['--url', url, '--seed', String(seed), '--max-examples', String(examples), '--phases', phases.join(',')],
    ...['--checks', checks, '--generation-database', 'none', '--continue-on-failure', '--no-shrink'],
    // One at a time: Python 3.11 parses in one thread alone.
    ...[
      '--workers',
      '1',
      '--request-timeout',
      '60',
      '--suppress-health-check',
      'all',
      '--warnings',
      'off',
      '--no-color',
    ],
  ]
  const child = spawn('python3', ['-m', 'schemathesis.cli', 'run', file, ...options], {
    cwd: folder,
    env: { ...process.env, PYTHONPATH: place, PYTHONDONTWRITEBYTECODE: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      said += text
      say?.(text)
    })
  }
  const [code] = await once(child, 'close')
  process.off('exit', kill)
  return { code: code ?? 1, said }
}
