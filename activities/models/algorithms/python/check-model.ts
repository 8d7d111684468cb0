import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { RunProgram } from '../../../../infra/subprocess/run.ts'
import { Refusal } from '../../../../sql/refusal.ts'
import { type Probe, probe } from './probe-model.ts'

const isBuilt = import.meta.url.endsWith('.js')
const program = fileURLToPath(new URL(`./probe-main.${isBuilt ? 'js' : 'ts'}`, import.meta.url))

const limits = { time_ms: 60_000, memory_mb: 4096, folder_mb: 4096, printed_mb: 1, processes: 64 }

export type CheckedModel = Exclude<Probe, { readonly reason: string }>

export type Checking = {
  /** An empty one. */
  readonly folder: string
  readonly signal: AbortSignal
  readonly beat: () => void
}

/**
 * Has a process of its own load a model that a stranger's script wrote, and predict with it: a model may crash the
 * runtime, never end, or take all memory. It looks from an empty folder, where a model that is in several files fails.
 */
export async function checkModel(
  runProgram: RunProgram,
  bytes: Uint8Array,
  columns: number,
  { folder, signal, beat }: Checking,
): Promise<CheckedModel> {
  const empty = join(folder, 'empty')
  const path = join(folder, 'checked.onnx')
  await mkdir(empty, { recursive: true })
  await writeFile(path, bytes)
  let lastLine = ''
  const end = await runProgram({
    command: process.execPath,
    arguments: [...(isBuilt ? [] : ['--import', import.meta.resolve('tsx')]), program, path, String(columns)],
    folder: empty,
    limits,
    signal,
    beat,
    line: (text) => {
      if (text !== '') lastLine = text
    },
  })
  if (end.kind === 'limit') throw new Refusal(`model.onnx cannot be used: its check was stopped, as ${end.reason}`)
  if (end.kind === 'signal') throw new Refusal(`model.onnx crashes the runtime (${end.signal})`)
  const found =
    end.code === 0 ? probe.parse(JSON.parse(lastLine)) : { reason: `the check of model.onnx failed: ${lastLine}` }
  if ('reason' in found) throw new Refusal(found.reason)
  return found
}
