import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { Points } from '../models/data.ts'

const answer = z.object({ cpu: z.number(), wall: z.number(), score: z.number() })

/** Seconds of a core, seconds by the clock, and how good the model is. */
export type Cost = z.infer<typeof answer>

/** A case as `peer.py` takes it. */
export type PeerCase = { readonly kind: string; readonly training: string } & Readonly<Record<string, unknown>>

/** Work of scikit-learn or LightGBM in a process of its own, on one thread unless the case says more. */
export function openPeer(packages: string, peerCase: PeerCase) {
  const script = fileURLToPath(new URL('peer.py', import.meta.url))
  const env = { ...process.env, PYTHONPATH: packages, OMP_NUM_THREADS: '1', OPENBLAS_NUM_THREADS: '1' }
  const peer = spawn('python3', [script, JSON.stringify(peerCase)], { env, stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface(peer.stdout)[Symbol.asyncIterator]()
  return {
    async work(): Promise<Cost> {
      peer.stdin.write('\n')
      const { value, done } = await lines.next()
      if (done) throw new Error('the peer ended')
      return answer.parse(JSON.parse(value))
    },
    async close(): Promise<void> {
      peer.stdin.end()
      if (peer.exitCode === null) await once(peer, 'exit')
    },
  }
}

/** Writes the rows in the form that `peer.py` reads. */
export async function writePoints(path: string, { values, classes }: Points): Promise<string> {
  await writeFile(path, values)
  await writeFile(`${path}.y`, classes)
  return path
}
