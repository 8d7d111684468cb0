import { inTime } from '../../../base/in-time.ts'
import type { Event } from '../../../base/json.ts'
import { Refusal } from '../../../base/refusal.ts'
import type { Logger } from '../../../infra/logger.ts'
import type { Metrics } from '../../../infra/metrics.ts'
import type { ModelDescription } from '../../../learn/description.ts'
import { type BrokenRow, placeOf } from '../../../learn/formats/row.ts'
import type { Prediction } from '../../../learn/outside-step.ts'
import type { ComputedAttribute } from '../../../sql/schema/schema.ts'
import { holdsLabel, type Inputs, type Predict } from '../../events/computed/prediction.ts'
import { askedModelId } from '../../models/current-models.ts'
import { otherLag } from '../../models/other-lag.ts'
import type { Predictor } from '../predictor.ts'
import type { SteadyModels } from '../steady-models.ts'
import type { Unscored, UnscoredReason } from './unscored.ts'

export type EventPredictionsDeps = {
  readonly versionOf: SteadyModels
  readonly predictor: Pick<Predictor, 'predictObjects'> & {
    readonly describe: (model: string) => Promise<Pick<ModelDescription, 'labels' | 'series'>>
  }
  readonly metrics: Pick<Metrics, 'predictionFailures' | 'predictions' | 'eventPredictions'>
  readonly unscored: Pick<Unscored, 'add'>
  readonly logger: Logger
  readonly patience_ms?: number
}

/** An event waits this long for a model; a batch waits a millisecond longer for each of its events. */
const usualPatience_ms = 2_000
/** Failures of one model on one stream are logged once in this time. */
const quiet_ms = 10_000

/**
 * Fills PRED attributes. No model ever fails an event: where it is absent, fails or is late, the attribute is left out;
 * one that failed or was late is left alone for ten times as long as that took.
 */
export function createEventPredictions(deps: EventPredictionsDeps) {
  const { versionOf, predictor, metrics, unscored, logger, patience_ms = usualPatience_ms } = deps
  const rests = createRests()
  const logged_ms = new Map<string, number>()

  function tell(stream: string, model: string, count: number, fields: object): void {
    metrics.predictionFailures.inc({ stream }, count)
    const id = `${stream}:${model}`
    const now = performance.now()
    if (now - (logged_ms.get(id) ?? -quiet_ms) < quiet_ms) return
    logged_ms.set(id, now)
    logger.warn({ stream, model, ...fields }, 'events stored without a prediction: the model failed on them')
  }

  /** A window of another length would be filled up with means. */
  async function refuseOtherLag(model: string, key: string, lag: number): Promise<void> {
    const { series } = await predictor.describe(key)
    if (series?.lag !== lag) throw new Refusal(otherLag(model, lag, series?.lag))
  }

  /** The answers of the attribute's model, in their order; none where it does not answer. */
  async function labelsOf(
    { schema, stream, model }: { readonly schema: string; readonly stream: string; readonly model: string },
    { name, type, version: asked, probabilityOf, lag }: ComputedAttribute,
    inputs: readonly Inputs[],
  ): Promise<readonly unknown[]> {
    const lacking = (reason: UnscoredReason, count: number): void => unscored.add(stream, name, reason, count)
    const key = { schema, model, ...(asked !== undefined && { version: asked }) }
    const id = askedModelId(key)
    if (rests.has(id)) {
      tell(stream, model, inputs.length, { attribute: name, reason: 'it failed or was late a moment ago' })
      lacking('the model rests', inputs.length)
      return []
    }
    const began = performance.now()
    const seconds = metrics.predictions.startTimer({ by: 'events' })
    try {
      const predict = async () => {
        const version = await versionOf(key)
        if (version === undefined) return undefined
        if (lag !== undefined) await refuseOtherLag(model, version.key, lag)
        const predicted = await predictor.predictObjects(version.key, inputs.map(asEvent))
        if (probabilityOf === undefined) return predicted
        const { labels = [] } = await predictor.describe(version.key)
        return predicted.map((each) => ('reason' in each ? each : shareOf(each, labels, probabilityOf)))
      }
      const limit_ms = patience_ms + inputs.length
      const late = () => new Error(`the model took longer than ${limit_ms} ms`)
      const results = await inTime(predict(), limit_ms, late)
      if (results === undefined) {
        lacking('no model', inputs.length)
        return []
      }
      const bad = results.filter((result) => 'reason' in result)
      const [first] = bad
      if (first !== undefined) tell(stream, model, bad.length, { attribute: name, reason: placeOf(first) })
      lacking('the model failed', bad.length)
      const labels = results.map((result) => ('reason' in result ? undefined : result.label))
      const misfits = labels.filter((label) => label !== undefined && !holdsLabel(type, label))
      if (misfits.length > 0)
        tell(stream, model, misfits.length, { attribute: name, reason: `it answers what no ${type} can hold` })
      lacking('no answer of its type', misfits.length)
      metrics.eventPredictions.inc({ outcome: 'predicted' }, inputs.length - bad.length - misfits.length)
      return labels
    } catch (error) {
      rests.begin(id, performance.now() - began)
      tell(stream, model, inputs.length, { attribute: name, err: error })
      lacking('the model failed', inputs.length)
      return []
    } finally {
      seconds()
    }
  }

  return (schema: string, stream: string): Predict =>
    async (attribute, inputs) => {
      const { model, name, lag } = attribute
      if (model === undefined) return []
      const asked = inputs.filter((each) => each !== undefined)
      const reason = lag === undefined ? 'no inputs' : 'too few values'
      unscored.add(stream, name, reason, inputs.length - asked.length)
      if (asked.length === 0) return []
      const labels = await labelsOf({ schema, stream, model }, attribute, asked)
      if (asked.length === inputs.length) return labels
      let next = 0
      return inputs.map((each) => (each === undefined ? undefined : labels[next++]))
    }
}

export type EventPredictions = ReturnType<typeof createEventPredictions>

/** A prediction whose label is the probability of one. */
function shareOf(
  { probabilities }: Prediction,
  labels: readonly (number | string)[],
  label: string,
): { readonly label: number } | Pick<BrokenRow, 'line' | 'reason'> {
  const place = labels.map(String).indexOf(label)
  const share = probabilities?.[place]
  if (share !== undefined) return { label: share }
  const reason =
    place < 0
      ? `the model has no label ${label}; it has ${labels.slice(0, 10).join(', ')}`
      : 'the model gives no probabilities'
  return { line: 1, reason }
}

const asEvent = (inputs: Inputs): Event => ({ ...inputs })

/** A model rests this many times as long as its failure took: it costs others a tenth of their time at most. */
const factor = 10

export function createRests(now_ms: () => number = () => performance.now()) {
  const until = new Map<string, number>()
  return {
    begin: (id: string, took_ms: number): void => {
      until.set(id, now_ms() + factor * took_ms)
    },
    has(id: string): boolean {
      const end = until.get(id)
      if (end === undefined) return false
      if (end > now_ms()) return true
      until.delete(id)
      return false
    },
  }
}
