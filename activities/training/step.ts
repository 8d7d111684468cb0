import { Fault, fault } from '../../base/faults.ts'
import { Refusal } from '../../base/refusal.ts'
import { isPassing } from '../../infra/clickhouse/passing.ts'
import { isFinal } from '../../infra/orchestration/orchestrator.ts'
import type { Pulse } from '../../infra/orchestration/workflow.ts'
import type { TrainingKey, TrainingRecord } from '../models/stores/training-record.ts'
import type { TrainingStore } from '../models/stores/trainings.ts'
import { isUnderWay, type TrainingState, trainingState } from '../models/training-states.ts'
import { decodeTraining } from './decode/decode-request.ts'
import type { TrainingRequest } from './decode/request.ts'
import { type Journal, openJournal, type Share } from './journal.ts'
import { shortReason, TrainingFailure } from './refusals.ts'

/** A step's result for its workflow: the state it has reached, its log lines, and the subject of the next steps. */
export type StepDone = { readonly state: number; readonly log: readonly string[]; readonly about?: string }

/** `about` names the subject of the step for people. */
export type StepRequest = TrainingKey & { readonly about?: string }

export type StepContext = {
  readonly key: TrainingKey
  readonly record: TrainingRecord
  readonly request: TrainingRequest
  readonly journal: Journal
  /** Aborts when no workflow waits for the step any more, when the training was stopped, and after the max time. */
  readonly signal: AbortSignal
}

export type Step = {
  readonly share: Share
  /** The state that the training is in from its end on; a training that is there already skips the step. */
  readonly reaches?: TrainingState
  /** The state of a training that fails here in a way that nothing foresees. */
  readonly failing: TrainingState
  readonly work: (context: StepContext) => Promise<Partial<TrainingRecord> | undefined>
}

const longest_ms = 24 * 3600 * 1000
/** The max lines of a step in a workflow's history and its UI. */
const maxShown = 50

/** A step of a training as an activity: it may be repeated, and then does only the work that is not done yet. */
export const createStep =
  (trainings: TrainingStore, { share, reaches, failing, work }: Step) =>
  async ({ about: _, ...key }: StepRequest, outer: AbortSignal, pulse: Pulse = () => {}): Promise<StepDone> => {
    const record = await trainings.find(key)
    if (record === undefined) throw fault('conflict', 'the training was removed')
    if (record.state === trainingState.done || (reaches !== undefined && record.state >= reaches)) {
      return { state: record.state, log: [] }
    }
    if (!isUnderWay(record.state)) throw fault('conflict', record.log.at(-1) ?? 'the training has ended')

    const journal = openJournal(trainings, key, share)
    const late = AbortSignal.timeout(longest_ms)
    const signal = AbortSignal.any([outer, journal.stopped, late])
    const beat = setInterval(() => pulse({ progress: journal.fraction(), last: journal.lines().at(-1) }), 1_000)
    try {
      const more = await work({ key, record, request: requestOf(record), journal, signal })
      if (!(await journal.reach(reaches, more))) throw fault('conflict', 'the training was stopped')
      const about = journal.about()
      return { state: reaches ?? record.state, log: journal.lines().slice(-maxShown), ...(about && { about }) }
    } catch (error) {
      outer.throwIfAborted()
      if (journal.stopped.aborted) throw fault('conflict', 'the training was stopped')
      if (late.aborted) throw await ended(journal, failing, 'it took longer than 24 hours')
      if (passes(error)) throw error
      const { state, reason } = causeOf(error, failing)
      throw await ended(journal, state, reason, error)
    } finally {
      clearInterval(beat)
      await journal.close()
    }
  }

/** A training that was asked for before numbers were scaled by default keeps them as they are. */
function requestOf({ request: wire, scaledByDefault: isKnown }: TrainingRecord): TrainingRequest {
  const { scaledByDefault, ...request } = decodeTraining(wire)
  if (scaledByDefault === undefined) return request
  return isKnown ? { ...request, scaledByDefault } : { ...request, scale: false }
}

async function ended(journal: Journal, state: TrainingState, reason: string, cause?: unknown): Promise<Fault> {
  await journal.fail(state, reason)
  return fault('invalid', reason, { cause })
}

/** A part of the service is away, or short of something: a repeat may succeed. */
const passes = (error: unknown): boolean => (error instanceof Fault ? !isFinal(error.kind) : isPassing(error))

function causeOf(error: unknown, failing: TrainingState): { state: TrainingState; reason: string } {
  if (error instanceof TrainingFailure) return { state: error.state, reason: error.message }
  if (error instanceof Refusal) return { state: failing, reason: error.message }
  return { state: failing, reason: shortReason(error instanceof Error ? error.message : String(error)) }
}
