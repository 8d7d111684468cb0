/** The trainers of others, in one process of Python that tells a line of JSON a reference. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'

const line = z.object({
  case: z.string(),
  reference: z.string(),
  score: z.number(),
  error: z.number(),
  loss: z.number().optional(),
  seconds: z.number(),
})
export type Reference = z.infer<typeof line>

export type ReferenceCase = {
  readonly case: string
  readonly kind: 'classes' | 'numbers' | 'rare' | 'clusters' | 'texts' | 'entities'
  readonly training: string
  readonly unseen: string
  /** The places of columns of words. */
  readonly words?: readonly number[]
  /** The references that are asked; absent: all. */
  readonly only?: readonly string[]
  readonly clusters?: number
}

export async function trainReferences(
  folder: string,
  packages: string,
  cases: readonly ReferenceCase[],
): Promise<readonly Reference[]> {
  const list = join(folder, 'cases.json')
  await writeFile(list, JSON.stringify(cases))
  const script = fileURLToPath(new URL('references.py', import.meta.url))
  const env = { ...process.env, PYTHONPATH: packages, OMP_NUM_THREADS: '1', OPENBLAS_NUM_THREADS: '1' }
  const python = spawn('python3', [script, list], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(python, 'exit')
  const found: Reference[] = []
  for await (const text of createInterface(python.stdout)) found.push(line.parse(JSON.parse(text)))
  const [code] = await ended
  if (code !== 0) throw new Error(`the references ended with ${code}`)
  return found
}
