import {
  ApplicationFailure,
  isGrpcServiceError,
  ServiceError,
  WorkflowExecutionAlreadyStartedError,
  type WorkflowFailedError,
} from '@temporalio/client'
import { Fault, type FaultKind, fault } from '../../base/faults.ts'
import { isFinal } from './orchestrator.ts'

/** The error that made a workflow fail, from inside of Temporal's wrapping. */
export function failureOf(error: unknown): { type: string; message: string } {
  let inner = error
  while (inner instanceof Error && !(inner instanceof ApplicationFailure) && inner.cause !== undefined)
    inner = inner.cause
  if (inner instanceof ApplicationFailure) return { type: inner.type ?? '', message: inner.message }
  return { type: '', message: inner instanceof Error ? inner.message : String(inner) }
}

/** Whether Temporal did not answer: a repeat may succeed. */
const isAway = (error: unknown): boolean =>
  isGrpcServiceError(error) || (error instanceof ServiceError && isGrpcServiceError(error.cause))

const invalidArgument = 3

/** Whether a run was refused for a search attribute that its namespace does not have. */
export function isUnknownMark(error: unknown): boolean {
  const cause = error instanceof ServiceError ? error.cause : error
  return isGrpcServiceError(cause) && cause.code === invalidArgument && /search attribute/i.test(cause.details)
}

/** Kinds by which activities fail, as the type of a Temporal failure. */
const kinds: Readonly<Record<FaultKind, FaultKind>> = {
  invalid: 'invalid',
  denied: 'denied',
  forbidden: 'forbidden',
  missing: 'missing',
  method: 'method',
  conflict: 'conflict',
  reused: 'reused',
  off: 'off',
  'too large': 'too large',
  unsupported: 'unsupported',
  'out of range': 'out of range',
  limited: 'limited',
  'too many': 'too many',
  unavailable: 'unavailable',
  late: 'late',
  abandoned: 'abandoned',
}
const isKind = (type: string): type is FaultKind => Object.hasOwn(kinds, type)

/** An activity's error for Temporal: a failure that a repeat cannot mend is not tried again. */
export function asFailure(error: unknown): unknown {
  if (!(error instanceof Fault)) return error
  return ApplicationFailure.create({
    type: error.kind,
    message: error.message,
    nonRetryable: isFinal(error.kind),
    cause: error,
  })
}

/** Why a run failed, in Weir's terms. */
export function asRunFault(error: WorkflowFailedError): Fault {
  const { type, message } = failureOf(error)
  return fault(isKind(type) ? type : 'unavailable', message, { cause: error })
}

/** The error of a call of Temporal, in Weir's terms. An error about a run is left as it is. */
export function asFault(error: unknown, { address, reason }: { address: string; reason: string | undefined }): unknown {
  if (error instanceof WorkflowExecutionAlreadyStartedError)
    return fault('conflict', `${error.workflowId} is under way already`)
  if (isAway(error)) {
    const why = reason === undefined ? '' : ` (${reason})`
    const message = `Temporal at ${address} does not answer${why}; try again`
    return fault('unavailable', message, { retryAfter: 5, cause: error })
  }
  return error
}
