import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { fault } from '../../../base/faults.ts'
import { machineMemory } from '../../../base/memory.ts'
import { Refusal } from '../../../base/refusal.ts'
import type { Config } from '../../../infra/config.ts'
import { type Cage, createCage } from '../../../infra/subprocess/cage.ts'
import { CompanionEnded, startCompanion } from '../../../infra/subprocess/companion.ts'
import { createStrikes, type Strikes } from './strikes.ts'
import { opened, packTensors, ran, type Tensors, unpackTensors } from './wire.ts'

/** Plain data: threads are given it too. */
export type ModelProcessSettings = {
  /** Folders that a model's process may not see. */
  readonly hidden: readonly string[]
  /** Memory of one process beside three times its model's file. */
  readonly memory_mb: number
  /** The max time of one run. */
  readonly time_ms: number
  /** Whether models run where no cage can be built, as the service's own user. */
  readonly isUncaged: boolean
}

export const modelProcessSettings = ({
  DATA_DIR,
  PY_MODEL_MB,
  PY_MODEL_S,
  PY_UNCAGED,
}: Config): ModelProcessSettings => ({
  hidden: [DATA_DIR],
  memory_mb: PY_MODEL_MB,
  time_ms: PY_MODEL_S * 1000,
  isUncaged: PY_UNCAGED === '1',
})

export const usualModelProcess: ModelProcessSettings = {
  hidden: [],
  memory_mb: 1024,
  time_ms: 10_000,
  isUncaged: false,
}

/** A model of a user's in a process of its own, asked as a session of ONNX Runtime is. */
export type ModelInProcess = Awaited<ReturnType<ModelProcesses['open']>>

/** Processes of models that one thread of the service may have at a time, and runs that may wait for one of them. */
const [maxProcesses, maxWaiting] = [16, 256]
const opening_ms = 60_000
const answer_mb = 256
const megabyte = 2 ** 20

/**
 * The part of the memory of a Node that V8 maps for code at its start and hardly fills: 512 MB from Node 24
 * on, where the older ones map code page by page. The limit of a process counts it, so it comes on top. Read from this
 * process, which runs the same Node; 0 where the system does not show it.
 */
function codeRange_mb(): number {
  try {
    const maps = readFileSync('/proc/self/maps', 'latin1')
    const sizes = [...maps.matchAll(/^([0-9a-f]+)-([0-9a-f]+) rwxp /gm)].map(
      ([, from = '0', to = '0']) => Number.parseInt(to, 16) - Number.parseInt(from, 16),
    )
    return Math.ceil(Math.max(0, ...sizes) / megabyte)
  } catch {
    return 0
  }
}

const isBuilt = import.meta.url.endsWith('.js')
const program = fileURLToPath(new URL(`./model-main.${isBuilt ? 'js' : 'ts'}`, import.meta.url))

export type ApartOptions = {
  /** Shared by all code that starts processes of the same models in this thread. */
  readonly strikes?: Strikes
  /** A process without a request for this long is ended. */
  readonly idle_ms?: number
}

/**
 * Opens models that users brought, each in a process of its own with bounds of memory and time, in a cage: a model may loop,
 * crash the runtime or take all memory, and the service goes on.
 */
export function createModelProcesses(
  settings: ModelProcessSettings,
  { strikes = createStrikes(), idle_ms = 300_000 }: ApartOptions = {},
) {
  const cage = createCage({ hidden: settings.hidden, network: false })
  let live = 0

  /** The cage, or none where the settings say so; throws where there is no way to confine a model. */
  async function caged(): Promise<Cage | undefined> {
    const why = await cage.fault()
    if (why === undefined) return cage
    if (settings.isUncaged) return undefined
    throw fault(
      'conflict',
      `models that users bring do not run: this machine cannot cage them (${why}); with PY_UNCAGED=1 they run without a cage, and can read all that the service can`,
    )
  }

  async function start(model: Uint8Array, caged: Cage | undefined) {
    const folder = await mkdtemp(join(tmpdir(), 'weir-model-'))
    const own_mb = settings.memory_mb + Math.ceil((3 * model.byteLength) / megabyte)
    live += 1
    try {
      const companion = startCompanion({
        command: [process.execPath, ...(isBuilt ? [] : ['--import', translator()]), program],
        folder,
        readable: programFiles(),
        data_mb: Math.min(own_mb, Math.floor(machineMemory() / 2 / megabyte)) + codeRange_mb(),
        answer_mb,
        cage: caged,
      })
      void companion.ended.then(() => {
        live -= 1
        return rm(folder, { recursive: true, force: true })
      })
      return { companion, folder }
    } catch (error) {
      live -= 1
      throw error
    }
  }

  return {
    /** `key` is the model's version; '' for one that has none yet. Throws a `Refusal` where it cannot be opened, or has ended too many processes. */
    async open(key: string, model: Uint8Array) {
      if (key !== '') strikes.check(key)
      if (live >= maxProcesses)
        throw fault('limited', `${maxProcesses} models of users are at work; try again in a moment`, { retryAfter: 10 })
      const { companion, folder } = await start(model, await caged())
      let [isClosed, hasEnded] = [false, false]
      void companion.ended.then(() => {
        hasEnded = true
        if (!isClosed && key !== '') strikes.add(key)
      })
      const close = (): void => {
        isClosed = true
        companion.end()
      }
      const ask = async (header: object, parts: readonly Uint8Array[], limit_ms: number) => {
        try {
          return await companion.ask({ header, parts }, limit_ms)
        } catch (error) {
          if (!(error instanceof CompanionEnded)) throw error
          if (error.isOver) throw new Refusal(`the model's process is gone: ${error.message}`)
          throw fault('unavailable', "the model's process ended over another prediction; try again", { retryAfter: 1 })
        }
      }
      try {
        const found = opened.parse((await ask({ kind: 'open' }, [model], opening_ms)).header)
        // It has started: where its folder is gone nothing can be written at all, and nothing is left of a killed service.
        await rm(folder, { recursive: true, force: true })
        if ('error' in found) throw new Refusal(`the model does not load: ${found.error}`)
        const idle = setTimeout(close, idle_ms).unref()
        return {
          inputMetadata: found.inputs,
          outputMetadata: found.outputs,
          async run(feeds: Tensors, outputs: readonly string[]): Promise<Tensors> {
            if (companion.waiting() >= maxWaiting)
              throw fault('limited', `${maxWaiting} predictions wait for this model; try again in a moment`, {
                retryAfter: 5,
              })
            idle.refresh()
            const { headers, parts } = packTensors(feeds)
            const answer = await ask({ kind: 'run', feeds: headers, outputs }, parts, settings.time_ms)
            const result = ran.parse(answer.header)
            if ('error' in result) throw new Refusal(`the model failed on the data: ${result.error}`)
            return unpackTensors(result.tensors, answer.parts)
          },
          /** Waits for its end: a thread that goes idle hears of no child any more, and would leave it a zombie. */
          async release(): Promise<void> {
            close()
            await companion.ended
          },
          ended: companion.ended,
          hasEnded: (): boolean => hasEnded,
        }
      } catch (error) {
        close()
        await companion.ended
        throw error
      }
    },
  }
}

export type ModelProcesses = ReturnType<typeof createModelProcesses>

/** The translator of TypeScript, where this runs from the sources; threads have no `import.meta.resolve`. */
const translator = (): string => pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href

/** The program's own files, and those of the packages that it loads; not the folder they are in, which may hold secrets. */
function programFiles(): string[] {
  const root = join(dirname(program), '../../..')
  const files = ['sql', 'infra', 'activities', 'shared', 'tsconfig.json'].map((name) => join(root, name))
  for (const folder of [root, dirname(root)]) files.push(join(folder, 'package.json'), join(folder, 'node_modules'))
  return [process.execPath, ...files].flatMap((file) => (existsSync(file) ? [file, realpathSync(file)] : []))
}
