import type { Event } from '../../../base/json.ts'
import type { ComputedAttribute, Stream } from '../../../sql/schema/schema.ts'
import { type Compute, compileComputed, type Predict, type Remembered } from '../../events/computed/compile.ts'
import type { EncodeEvent } from '../../events/encode-event.ts'
import type { PlainLines } from '../../events/plain/plain-lines.ts'

/** The way of a stream's events from their members to the log. */
export type StreamPath = {
  readonly queue: string
  readonly isOn: () => boolean
  /** Its events are copies of other streams' events. */
  readonly isCopy: boolean
  /** Computed attributes that references may read. */
  readonly before?: (event: Event) => void
  /** The others. */
  readonly after?: Compute
  /** Whether predictions may read results of references, or earlier events: the model then predicts one event at a time. */
  readonly isPredictedAlone: boolean
  readonly encode: EncodeEvent
  /** The quick way of events that it reads. */
  readonly plain?: PlainLines
  /** The same for events that go on as they were sent. */
  readonly sent?: PlainLines
  /** Nothing is set on an event but its time. */
  readonly isAsSent: boolean
}

export type StreamPathDeps = {
  readonly stream: Stream
  readonly queue: string
  readonly isOn: () => boolean
  readonly encode: EncodeEvent
  readonly plain?: PlainLines | undefined
  readonly sent?: PlainLines | undefined
  readonly predict: Predict
  readonly remembered: Remembered
}

/** Compiles the path of a stream that rules observe or make. */
export function compileStreamPath({ stream, queue, isOn, encode, plain, sent, ...models }: StreamPathDeps): StreamPath {
  const isBefore = ({ isBeforeReferences }: ComputedAttribute): boolean => isBeforeReferences === true
  const before = compiled(stream.computed.filter(isBefore), stream, models)
  const after = compiled(
    stream.computed.filter((attribute) => !isBefore(attribute)),
    stream,
    models,
  )
  if (before && before.kind !== 'each') throw new Error(`a prediction of ${queue} is computed before its references`)
  return {
    queue,
    isOn,
    isCopy: stream.kind === 'filter',
    ...(before && { before: before.compute }),
    ...(after && { after }),
    isPredictedAlone: after?.kind === 'together' && hasMemory(stream),
    encode,
    ...(plain && { plain }),
    ...(sent && { sent }),
    isAsSent: overwrittenIn(stream).length === 0,
  }
}

/** The attributes that are set on an event between its reading and its line. */
export const overwrittenIn = ({ computed, references }: Stream): string[] => [
  ...computed.map(({ name }) => name),
  ...references.flatMap(({ results }) => results),
]

const hasMemory = ({ references, computed }: Stream): boolean =>
  references.length > 0 || computed.some(({ lag, operation }) => lag !== undefined || operation === 'FOLD')

type Models = Pick<StreamPathDeps, 'predict' | 'remembered'>

const compiled = (
  attributes: readonly ComputedAttribute[],
  of: Stream,
  { predict, remembered }: Models,
): Compute | undefined => (attributes.length === 0 ? undefined : compileComputed(attributes, of, predict, remembered))
