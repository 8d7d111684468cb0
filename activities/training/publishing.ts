import { z } from 'zod'
import { writeExactJson } from '../../base/exact-json.ts'
import { algorithmOf } from '../../learn/algorithms/index.ts'
import { readDescription } from '../../learn/description.ts'
import { companionFiles } from '../models/model-files.ts'
import { type Companions, clearTraining, publish as publishVersion, removeOldest } from '../models/publish.ts'
import { showTraining } from '../models/stores/training-record.ts'
import { trainingState } from '../models/training-states.ts'
import type { TrainingDeps } from './deps.ts'
import { readChecking } from './fit/fitting.ts'
import { hearing, waitingFor } from './hearing.ts'
import { threadBytes } from './memory.ts'
import type { Step, StepContext } from './step.ts'
import { versionFacts } from './version-facts.ts'

/** A model is in memory four times: as bytes here and in its thread, and twice in ONNX Runtime, which parses and loads it. */
const copiesOfModel = 4

const metricsShape = z.record(z.string(), z.unknown())

/** The steps that put a new model in the place of the old one. */
export function createPublishing(deps: TrainingDeps) {
  const { files, threads, memory, trainings, versions, current } = deps

  const isScript = ({ request }: StepContext) => algorithmOf(request.algorithm).learnsFrom === 'script'

  const check: Step = {
    share: [0.95, 0.97],
    reaches: trainingState.uploadPending,
    failing: trainingState.training,
    work: async (context) => {
      const { key, journal } = context
      const { sample, expected } = isScript(context)
        ? { sample: [], expected: undefined }
        : readChecking(await files.read(key, 'check'))
      const need = threadBytes + copiesOfModel * (await files.size(key, 'model.onnx'))
      await memory.within(need, waitingFor(context), async () =>
        threads.run(
          { kind: 'check', file: await files.read(key, 'model.onnx'), sample, expected },
          hearing(context, () => trainingState.training),
        ),
      )
      journal.log('the model is checked, upload pending')
      return undefined
    },
  }

  const publish: Step = {
    share: [0.97, 1],
    reaches: trainingState.done,
    failing: trainingState.objectStore,
    work: async (context) => {
      const { key, record, request, journal } = context
      const known = await versions.list(key)
      const place = files.keyOf(key, 'model.onnx')
      const end_us = Date.now() * 1000
      const last = `${end_us} : training successful!`
      if (known.some((version) => version.key === place)) {
        // An earlier try got so far.
        journal.log(last)
        return { end_us, progress: 1 }
      }
      const measured = metricsShape.parse(JSON.parse(Buffer.from(await files.read(key, 'metrics')).toString()))
      const checking = isScript(context) ? undefined : readChecking(await files.read(key, 'check'))
      const ranges = checking?.ranges ?? []
      const metrics = { ...measured, ...checking?.facts }
      const number = (known.at(-1)?.number ?? 0) + 1
      const description = readDescription(await files.load(place))
      const { rows, fingerprint, notes } = record
      const version = {
        ...{ number, key: place, algorithm: request.algorithm, start_us: key.training, end_us, metrics },
        ...(rows !== undefined && { rows }),
        ...(fingerprint !== undefined && { fingerprint }),
        ...(notes !== undefined && { notes }),
        facts: versionFacts(description, checking?.sample ?? [], request.source),
      }
      const details = { ...record, state: trainingState.done, end_us, log: [...record.log, last] }
      const companions: Companions = { param: record.tuned, range: ranges, traindetails: showTraining(details) }
      for (const file of companionFiles) {
        await files.write(key, file, Buffer.from(`${writeExactJson(companions[file], 2)}\n`))
      }
      if (!(await trainings.isUnderWay(key))) throw new Error('the training was stopped')
      await publishVersion(deps, key, version)
      current.forget(key)
      for (const old of await removeOldest(deps, key))
        journal.log(`version ${old} is removed: MAX_MODEL_VERSIONS is ${deps.maxVersions}`)
      await clearTraining(deps, key)
      journal.log(last)
      return { end_us, progress: 1 }
    },
  }

  return { check, publish }
}
