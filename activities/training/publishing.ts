import { z } from 'zod'
import { writeExactJson } from '../../base/exact-json.ts'
import { algorithmOf } from '../../learn/algorithms/index.ts'
import { readDescription } from '../../learn/description.ts'
import { compare } from '../models/comparison.ts'
import { companionFiles } from '../models/model-files.ts'
import { type Companions, clearTraining, publish as publishVersion, removeOldest } from '../models/publish.ts'
import { showTraining } from '../models/stores/training-record.ts'
import type { ModelVersion, VersionBeside } from '../models/stores/versions.ts'
import { trainingState } from '../models/training-states.ts'
import type { TrainingDeps } from './deps.ts'
import { readChecking } from './fit/fitting.ts'
import { hearing, waitingFor } from './hearing.ts'
import { threadBytes } from './memory.ts'
import { firstOf } from './notes.ts'
import { TrainingFailure } from './refusals.ts'
import { comparePublished } from './script/measure-script.ts'
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
      const published = known.find((version) => version.key === place)
      if (published !== undefined) {
        // An earlier try got so far.
        const says = published.staged ? [notCurrent(published.number)] : []
        for (const line of [...says, last]) journal.log(line)
        return { end_us, progress: 1, ...(says.length > 0 && { notes: firstOf([...says, ...(record.notes ?? [])]) }) }
      }
      const measured = metricsShape.parse(JSON.parse(Buffer.from(await files.read(key, 'metrics')).toString()))
      const checking = isScript(context) ? undefined : readChecking(await files.read(key, 'check'))
      const ranges = checking?.ranges ?? []
      const { source_rows, taken_rows } = record
      const taken = source_rows !== undefined && taken_rows !== undefined && { source_rows, taken_rows }
      const metrics = { ...measured, ...checking?.facts, ...taken }
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
      const { beside, isStaged, says } = await stageOf(context, version)
      const details = { ...record, state: trainingState.done, end_us, log: [...record.log, last] }
      const companions: Companions = { param: record.tuned, range: ranges, traindetails: showTraining(details) }
      for (const file of companionFiles) {
        await files.write(key, file, Buffer.from(`${writeExactJson(companions[file], 2)}\n`))
      }
      if (!(await trainings.isUnderWay(key))) throw new Error('the training was stopped')
      if (isStaged) await versions.stage(key, { ...version, ...(beside && { beside }) })
      else await publishVersion(deps, key, { ...version, ...(beside && { beside }) })
      current.forget(key)
      for (const line of says) journal.log(line)
      for (const old of await removeOldest(deps, key))
        journal.log(`version ${old} is removed: MAX_MODEL_VERSIONS is ${deps.maxVersions}`)
      await clearTraining(deps, key)
      journal.log(last)
      const told = isStaged ? firstOf([...says, ...(notes ?? [])]) : notes
      return { end_us, progress: 1, ...(told !== undefined && { notes: told }) }
    },
  }

  /** Whether a version that was measured is to be current, by the request's `activate`, and how the current one did beside it. */
  async function stageOf(context: StepContext, version: ModelVersion): Promise<Stage> {
    const { key, request } = context
    const { activation } = request
    if (activation === 'always') return { isStaged: false, says: [] }
    const now = await versions.current(key)
    if (now === undefined) {
      return activation === 'never'
        ? { isStaged: true, says: [notCurrent(version.number)] }
        : { isStaged: false, says: [`version ${version.number} is current: there was none before it`] }
    }
    const beside = { version: now.number, metrics: await measuredBeside(context, now) }
    if (activation === 'never') return { isStaged: true, beside, says: [notCurrent(version.number)] }
    const { isBetter, says } = compare(activation, version, { number: now.number, metrics: beside.metrics })
    const end = isBetter ? `version ${version.number} is current` : notCurrent(version.number)
    return { isStaged: !isBetter, beside, says: [says, end] }
  }

  /** How well a version predicts the rows that this training held out, or the reason why that cannot be said. */
  async function measuredBeside(context: StepContext, { key: place }: ModelVersion): Promise<VersionBeside['metrics']> {
    const { key, signal } = context
    try {
      const file = await files.load(place)
      if (isScript(context)) return { ...(await comparePublished(deps, context, file)) }
      const prepared = await files.read(key, 'prepared')
      const need = threadBytes + copiesOfModel * file.byteLength + copiesOfHeld * prepared.byteLength
      const answer = await memory.within(Math.min(need, memory.max), waitingFor(context), () =>
        threads.run(
          { kind: 'published', file, prepared },
          hearing(context, () => trainingState.badTestData),
        ),
      )
      return 'metrics' in answer ? { ...answer.metrics } : {}
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof TrainingFailure)) throw error
      return { reason: error.message }
    }
  }

  return { check, publish }
}

type Stage = { readonly isStaged: boolean; readonly beside?: VersionBeside; readonly says: readonly string[] }

/** The prepared rows, and a part of them as cells. */
const copiesOfHeld = 2

const notCurrent = (version: number): string =>
  `version ${version} is published and not current: PUT .../version makes it so`
