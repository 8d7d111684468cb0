import { Fault } from '../../../base/faults.ts'
import type { Event } from '../../../base/json.ts'
import { Refusal } from '../../../base/refusal.ts'
import type { KeyedAnswer, TurnPlace } from '../../../infra/log/port.ts'
import type { PlainLine, PlainLines } from '../../events/plain/plain-lines.ts'

/** The place of an event: `seq` in the log, `pk` in time. */
export type Placed = { readonly pk: string; readonly seq: number }

/** Events of one request, which share a turn and a commit. */
export type SequencedWork<Stamped extends Placed> = {
  readonly events: readonly Event[]
  /** The lines of those that were read the quick way, at the places of the events. */
  readonly plain?: readonly (PlainLine | undefined)[]
  /** About as long as their lines. */
  readonly bytes: number
  /** Gives an event its place; a Refusal refuses that event. */
  readonly stamp: (event: Event) => Stamped
  /** The answers that are remembered with the events, by idempotency key. */
  readonly answers?: (outcomes: readonly Outcome<Stamped>[]) => readonly KeyedAnswer[]
  /** The place behind the events, where they come from a partition. */
  readonly place?: TurnPlace
  /** The events were acknowledged before their turn: one in which some are refused is not committed, but rejects with `RefusedInTurn`. */
  readonly isWhole?: boolean
}

/** Events that were acknowledged are refused in their turn, of which nothing was committed: they are to be set aside first. */
export class RefusedInTurn extends Error {
  /** The reasons, by the place of the event among those of the turn. */
  readonly refused: ReadonlyMap<number, unknown>

  constructor(refused: ReadonlyMap<number, unknown>) {
    super(`${refused.size} events are refused in their turn`)
    this.name = 'RefusedInTurn'
    this.refused = refused
  }
}

/** The outcome of an event: committed, or refused with the reason. */
export type Outcome<Stamped extends Placed> =
  | { readonly stamped: Stamped; readonly error?: undefined }
  | { readonly stamped?: undefined; readonly error: unknown }

/** Takes events of a stream in their turn; resolves once those that are not refused are committed. */
export type TakeTurn = <Stamped extends Placed>(work: SequencedWork<Stamped>) => Promise<readonly Outcome<Stamped>[]>

/** The turns of a stream's events; where `isOneByOne` holds, a turn has one event. */
export type StreamSequencer = {
  readonly take: TakeTurn
  readonly isOneByOne: boolean
  /** Whether events of several requests may be taken together. */
  readonly isGathered?: boolean
  readonly plain?: PlainLines
  /** The number of events whose turn is short enough for others to have theirs. */
  readonly groupOf: () => number
  /** The answer to an idempotency key, where the log has no answers of the stream itself. */
  readonly answered?: (key: string) => string | undefined
}

/** A value as `_pk` has it: a number where that is exact. */
export function numberOf(pk: string): number | bigint {
  const number = Number(pk)
  return Number.isSafeInteger(number) ? number : BigInt(pk)
}

/** Whether the event is at fault, and not what takes it. */
export const isOwnFault = (error: unknown): boolean =>
  error instanceof Refusal || (error instanceof Fault && error.kind === 'invalid')

/** A memory without room, or a part that is away: what comes later may have it. */
export const isPassing = (error: unknown): boolean =>
  error instanceof Fault && ['unavailable', 'late', 'limited', 'too many'].includes(error.kind)

/** The value of a piece of work for an event, or the fault of the event at which the work stopped. */
export type Settled<Value> =
  | { readonly value: Value; readonly error?: undefined }
  | { readonly value?: undefined; readonly error: unknown }

export function settled<Value>(work: () => Value): Settled<Value> {
  try {
    return { value: work() }
  } catch (error) {
    if (isOwnFault(error)) return { error }
    throw error
  }
}

export function outcomeOf<Stamped extends Placed>(work: () => Stamped): Outcome<Stamped> {
  const { value, error } = settled(work)
  return value === undefined ? { error } : { stamped: value }
}
