import type { Event } from '../../../base/json.ts'
import type { ComputedAttribute, Stream } from '../../../sql/schema/schema.ts'
import { type Compute, compileComputed, type Predict } from '../../ingest/computed/compile.ts'
import type { EncodeEvent } from '../../ingest/encode-event.ts'

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
  /** Its predictions may read what references bring, or what the events before had: they are asked for one by one. */
  readonly isPredictedAlone: boolean
  readonly encode: EncodeEvent
}

export type StreamPathDeps = {
  readonly stream: Stream
  readonly queue: string
  readonly isOn: () => boolean
  readonly encode: EncodeEvent
  readonly predict: Predict
}

/** Compiles the path of a stream that rules observe or make. */
export function compileStreamPath({ stream, queue, isOn, encode, predict }: StreamPathDeps): StreamPath {
  const isBefore = ({ isBeforeReferences }: ComputedAttribute): boolean => isBeforeReferences === true
  const before = compiled(stream.computed.filter(isBefore), predict)
  const after = compiled(
    stream.computed.filter((attribute) => !isBefore(attribute)),
    predict,
  )
  if (before && before.kind !== 'each') throw new Error(`a prediction of ${queue} is computed before its references`)
  return {
    queue,
    isOn,
    isCopy: stream.kind === 'filter',
    ...(before && { before: before.compute }),
    ...(after && { after }),
    isPredictedAlone: after?.kind === 'together' && stream.references.length > 0,
    encode,
  }
}

const compiled = (attributes: readonly ComputedAttribute[], predict: Predict): Compute | undefined =>
  attributes.length === 0 ? undefined : compileComputed(attributes, predict)
