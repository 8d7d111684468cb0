import { buffer } from 'node:stream/consumers'
import { createKeyedMutex } from '../../../base/mutex.ts'
import { openScratch } from '../../../infra/buckets/scratch.ts'
import type { ObjectStore } from '../../../infra/buckets/store.ts'
import type { FitWatch } from '../../../learn/dataset.ts'
import { type ModelDescription, metadataOf } from '../../../learn/description.ts'
import type { Source } from '../../../learn/formats/read-rows.ts'
import { withMetadata } from '../../../learn/onnx/metadata.ts'
import { textOf } from '../../../learn/parameters.ts'
import type { ModelProcesses } from '../../models/process/model-processes.ts'
import { trainingState } from '../../models/training-states.ts'
import type { TrainingRequest } from '../decode/request.ts'
import { createTrainByScript } from '../python/index.ts'
import type { ScriptRunner } from '../python/script-runner.ts'
import { TrainingFailure } from '../refusals.ts'

/** The bucket of scripts. */
export const scriptBucket = 'weir_udf_bucket'

export type RunScriptDeps = {
  readonly objects: ObjectStore
  readonly scripts: ScriptRunner
  readonly apart: Pick<ModelProcesses, 'open'>
  /** A folder in which each script gets one of its own. */
  readonly parent: string
  /** The largest model that a script may make. */
  readonly modelBytes: number
}

export type ScriptRequest = {
  readonly request: TrainingRequest
  readonly version: string
  readonly data: Source
  /** The number that stands for a missing one, by attribute. */
  readonly means: ReadonlyMap<string, number>
  readonly watch: FitWatch
  readonly signal: AbortSignal
}

/** PY: the user's script makes the model, and Weir writes into it how it is to be asked. */
export function createRunScript({ objects, scripts, apart, parent, modelBytes }: RunScriptDeps) {
  // Files that scripts of a killed process have left are removed, with the data that the scripts were given.
  const open = async () =>
    createTrainByScript({
      runProgram: scripts.runProgram,
      apart,
      parent: (await openScratch(parent)).path(),
      modelBytes,
    })
  let training = open()
  training.catch(() => {}) // it is tried again when a script is run
  // The fit and its measure would together take twice the memory that a script may have.
  const oneAtATime = createKeyedMutex()

  async function run({ request, version, data, means, watch, signal }: ScriptRequest): Promise<Uint8Array> {
    const off = await scripts.whyOff()
    if (off !== undefined) throw new TrainingFailure(trainingState.training, off)
    training = training.catch(open)
    const train = await training
    signal.throwIfAborted()
    const { raw, attributes, expected } = request
    const { target } = request.layout
    const key = textOf(request.parameters, 'script')
    const script = await objects.get(scriptBucket, key)
    if (script === undefined) {
      throw new TrainingFailure(trainingState.sourceAbsent, `there is no script ${key} in bucket ${scriptBucket}`)
    }
    const config = {
      algo_param: raw,
      attr_list: attributes.filter(({ learn }) => learn !== false),
      ...(target === undefined ? {} : { target_idx: target.position }),
      format: expected,
    }
    const model = await train({ script: await buffer(script.stream), data, config, watch, signal })
    return withMetadata(model.bytes, metadataOf(describeScriptModel(request, means, model.output.type, version)))
  }

  return (asked: ScriptRequest): Promise<Uint8Array> =>
    oneAtATime(`${asked.request.schema}:${asked.request.model}`, () => run(asked))
}

export type RunScript = ReturnType<typeof createRunScript>

/** A script's model takes numbers alone; the type of its first output decides whether they are labels. */
function describeScriptModel(
  { layout, raw }: TrainingRequest,
  means: ReadonlyMap<string, number>,
  output: string,
  version: string,
): ModelDescription {
  const { columns, target, separator, missing } = layout
  const attributes = columns.map(({ name, position }) => {
    const fill = means.get(name)
    return { name, position, kind: 'number' as const, ...(fill === undefined ? {} : { fill }) }
  })
  const isNumbers = output.startsWith('float') && target?.task !== 'classes'
  const known = target && {
    name: target.name,
    position: target.position,
    ...(target.unnamed && { unnamed: true as const }),
    ...(target.before !== undefined && { before: target.before }),
  }
  return {
    weir: 1,
    algorithm: 'PY',
    task: isNumbers ? 'numbers' : 'classes',
    attributes,
    ...(known && { target: known }),
    separator,
    ...(missing && { missing: [...missing] }),
    outside: [],
    batch: 1024,
    version,
    parameters: raw,
  }
}
