import { execFile } from 'node:child_process'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { Refusal } from '../../../base/refusal.ts'

/** The `python3` of the service's PATH, by its real name, and the folders that it and its packages are in. */
export type Interpreter = { readonly executable: string; readonly folders: readonly string[] }

const told = z.object({ executable: z.string(), real: z.string(), folders: z.array(z.string()) })

/** Asked without the service's environment, as scripts run without it. */
const question = `
import json, os, sys
print(json.dumps({
    'executable': sys.executable if sys.prefix != sys.base_prefix else os.path.realpath(sys.executable),
    'real': os.path.realpath(sys.executable),
    'folders': [sys.prefix, sys.base_prefix, sys.exec_prefix, *(p for p in sys.path if p and os.path.isabs(p))],
}))`

const patience_ms = 30_000

/** Python knows where it is, in a virtual environment or a home folder too. Throws a `Refusal` where there is none. */
export async function findInterpreter(): Promise<Interpreter> {
  const path = process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin'
  const asked = promisify(execFile)('python3', ['-c', question], {
    cwd: '/',
    env: { PATH: path, HOME: '/nonexistent', LANG: 'C.UTF-8' },
    timeout: patience_ms,
  })
  const { stdout } = await asked.catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 127)) {
      throw new Refusal('python3 is not installed where models are trained')
    }
    throw error
  })
  const { executable, real, folders } = told.parse(JSON.parse(stdout))
  // A system's own python has the prefix /usr, which every cage shows; a link may lead to an interpreter elsewhere.
  return { executable, folders: [...new Set([...folders, dirname(dirname(real))])].filter((folder) => folder !== '/') }
}
