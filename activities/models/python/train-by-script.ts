import { dirname } from 'node:path'
import { Refusal } from '../../../base/refusal.ts'
import type { End, RunProgram } from '../../../infra/subprocess/run.ts'
import { decodeScriptParameters } from '../../../learn/algorithms/script-parameters.ts'
import type { FitWatch } from '../../../learn/dataset.ts'
import type { Source } from '../../../learn/formats/read-rows.ts'
import type { Apart } from '../apart/open-apart.ts'
import { checkModel } from './check-model.ts'
import { findInterpreter, type Interpreter } from './interpreter.ts'
import { readModelFile } from './model-file.ts'
import type { CheckedModel } from './probe-model.ts'
import { createScriptLog } from './script-log.ts'
import { configFile, createWorkplace, type ScriptConfig } from './workplace.ts'

export type ScriptTraining = {
  readonly script: Uint8Array
  readonly data: Source
  readonly config: ScriptConfig
  readonly watch: FitWatch
  /** An abort ends the script and everything that it started. */
  readonly signal: AbortSignal
}

export type ScriptModel = CheckedModel & { readonly bytes: Uint8Array }

export type ScriptDeps = {
  readonly runProgram: RunProgram
  readonly apart: Pick<Apart, 'open'>
  /** Where the scripts' folders are made; they are gone when a training ends. */
  readonly parent: string
}

const printed_mb = 16
const processes = 64

/**
 * PY: `python3 script --config config.json` in a folder of its own, then its `model.onnx`. What a script or its model
 * does wrong is a `Refusal`; an abort, or a beat that throws, rejects with that reason.
 */
export function createTrainByScript(deps: ScriptDeps) {
  let found: Promise<Interpreter> | undefined
  /** Asked once, and again after a failure. */
  const interpreter = (): Promise<Interpreter> => {
    found ??= findInterpreter()
    found.catch(() => {
      found = undefined
    })
    return found
  }
  return async ({ script, data, config, watch, signal }: ScriptTraining): Promise<ScriptModel> => {
    const settings = decodeScriptParameters(config.algo_param)
    const python = await interpreter()
    const source = { key: settings.script, bytes: script }
    const workplace = await createWorkplace(deps.parent, { script: source, data, config }, signal)
    try {
      const log = createScriptLog(watch.log)
      let lastLine = ''
      const end = await deps
        .runProgram({
          command: python.executable,
          arguments: [workplace.script, '--config', configFile],
          folder: workplace.folder,
          readable: python.folders,
          environment: {
            PATH: `${dirname(python.executable)}:${process.env.PATH ?? ''}`,
            PYTHONUNBUFFERED: '1',
            PYTHONDONTWRITEBYTECODE: '1',
          },
          limits: {
            time_ms: settings.time_ms,
            memory_mb: settings.memory_mb,
            addresses_mb: settings.memory_mb,
            folder_mb: Math.ceil(workplace.data_mb) + settings.output_mb,
            printed_mb,
            processes,
          },
          signal,
          line: (text) => {
            if (text !== '') lastLine = text
            log.line(text)
          },
          beat: (elapsed_ms) => {
            const note = `${settings.script} runs since ${Math.floor(elapsed_ms / 1000)} s`
            watch.beat(Math.min(0.9, elapsed_ms / settings.time_ms), note)
          },
        })
        .finally(log.end)
      refuseFailure(end, lastLine)
      return await takeModel(deps, workplace.folder, { config, watch, signal })
    } finally {
      await workplace.remove()
    }
  }
}

async function takeModel(
  { apart }: ScriptDeps,
  folder: string,
  { config, watch, signal }: Pick<ScriptTraining, 'config' | 'watch' | 'signal'>,
): Promise<ScriptModel> {
  const bytes = await readModelFile(folder)
  const columns = config.attr_list.filter(({ position }) => position !== config.target_idx).length
  watch.beat(0.95, 'checking model.onnx')
  return { bytes, ...(await checkModel(apart, bytes, columns, signal)) }
}

function refuseFailure(end: End, lastLine: string): void {
  if (end.kind === 'limit') throw new Refusal(`the script was stopped: ${end.reason}`)
  if (end.kind === 'signal') throw new Refusal(`the script was ended by ${end.signal}${lastOf(lastLine)}`)
  if (end.code !== 0) throw new Refusal(`the script ended with exit code ${end.code}${lastOf(lastLine)}`)
}

const lastOf = (line: string): string => (line === '' ? '' : `; its last line: ${line}`)
