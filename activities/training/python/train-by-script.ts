import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { Refusal } from '../../../base/refusal.ts'
import type { End, RunProgram } from '../../../infra/subprocess/run.ts'
import { decodeScriptParameters } from '../../../learn/algorithms/script-parameters.ts'
import type { FitWatch } from '../../../learn/dataset.ts'
import type { Source } from '../../../learn/formats/read-rows.ts'
import type { ModelProcesses } from '../../models/process/model-processes.ts'
import { type CheckedModel, probeModel } from './probe-model.ts'
import { configFile, createWorkplace, modelFile, type ScriptConfig } from './workplace.ts'

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
  readonly apart: Pick<ModelProcesses, 'open'>
  /** Where the scripts' folders are made; they are gone when a training ends. */
  readonly parent: string
  /** The largest model that is taken: it is held three times on its way into the store. */
  readonly modelBytes: number
}

const printed_mb = 16
const processes = 64

/**
 * PY: runs `python3 script --config config.json` in a folder of its own and reads its `model.onnx`. A fault of a script or
 * its model is a `Refusal`; an abort, or a beat that throws, rejects with that reason.
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
  { apart, modelBytes }: ScriptDeps,
  folder: string,
  { config, watch, signal }: Pick<ScriptTraining, 'config' | 'watch' | 'signal'>,
): Promise<ScriptModel> {
  const bytes = await readModelFile(folder, modelBytes)
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

const megabyte = 2 ** 20

/** ONNX files are one protobuf message, which ends at 2 GiB. */
const maxOfFormat = 2047 * megabyte

/** The file that the script wrote as its model. A link is no model: it could lead out of the folder. */
async function readModelFile(folder: string, modelBytes: number): Promise<Uint8Array> {
  const max = Math.min(maxOfFormat, modelBytes)
  const path = join(folder, modelFile)
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch((error) => {
    throw new Refusal(`the script wrote no ${modelFile} in its folder (${error.code})`)
  })
  try {
    const stat = await file.stat()
    if (!stat.isFile()) throw new Refusal(`what the script left as ${modelFile} is no file`)
    if (stat.size === 0) throw new Refusal(`the ${modelFile} that the script wrote is empty`)
    if (stat.size > max) {
      const shown = `${(max / megabyte).toFixed(max < megabyte ? 3 : 0)} MB`
      throw new Refusal(
        `the ${modelFile} that the script wrote exceeds ${shown} (a third of MAX_TRAINING_MB, 2047 at most)`,
      )
    }
    return await file.readFile()
  } finally {
    await file.close()
  }
}

const first = 500
const last = 50

/** Passes the first lines on as they come; of the others the last ones at the end, with how many stood between. */
function createScriptLog(log: (line: string) => void) {
  let count = 0
  const held: string[] = []
  return {
    line(text: string): void {
      count += 1
      if (count <= first) log(text)
      else {
        held.push(text)
        if (held.length > 2 * last) held.splice(0, last)
      }
    },
    end(): void {
      const shown = held.slice(-last)
      const between = count - first - shown.length
      if (between > 0) log(`... ${between} more lines ...`)
      for (const text of shown) log(text)
    },
  }
}

/** The `python3` of the service's PATH, by its real name, and the folders that it and its packages are in. */
export type Interpreter = { readonly executable: string; readonly folders: readonly string[] }

const report = z.object({ executable: z.string(), real: z.string(), folders: z.array(z.string()) })

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
  const { executable, real, folders } = report.parse(JSON.parse(stdout))
  // A system's own python has the prefix /usr, which every cage shows; a link may lead to an interpreter elsewhere.
  return { executable, folders: [...new Set([...folders, dirname(dirname(real))])].filter((folder) => folder !== '/') }
}

const limit_ms = 60_000

/**
 * Has a process of its own load a model that a stranger's script wrote, and predict with it: a model may crash the
 * runtime, never end, or take all memory. One that is in several files does not load there.
 */
export async function checkModel(
  apart: Pick<ModelProcesses, 'open'>,
  bytes: Uint8Array,
  columns: number,
  signal: AbortSignal,
): Promise<CheckedModel> {
  signal.throwIfAborted()
  const model = await apart.open('', bytes).catch((error: unknown) => {
    throw error instanceof Refusal ? new Refusal(error.message.replace(/^the model/, 'model.onnx')) : error
  })
  let isLate = false
  const late = setTimeout(() => {
    isLate = true
    void model.release()
  }, limit_ms)
  const stop = (): void => void model.release()
  signal.addEventListener('abort', stop)
  try {
    return await probeModel(model, columns)
  } catch (error) {
    signal.throwIfAborted()
    throw isLate ? new Refusal(`model.onnx cannot be used: its check took longer than ${limit_ms / 1000} s`) : error
  } finally {
    clearTimeout(late)
    signal.removeEventListener('abort', stop)
    await model.release()
  }
}
