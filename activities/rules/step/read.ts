import type { Json } from '../../../base/json.ts'
import type { Stream } from '../../../sql/schema/schema.ts'
import { placeOf as placeInEvent } from '../../events/places.ts'
import { type ColumnType, jsonScalar, type Scalar } from '../../events/values.ts'
import { type CurrentEvent, timeOf } from './current-event.ts'

/** Undefined where the value is missing. */
export type Read<Result = Scalar> = (current: CurrentEvent) => Result | undefined

/** The place of a path in the event of a turn. */
export type Place =
  | { readonly kind: 'column'; readonly type: ColumnType; readonly read: Read }
  | { readonly kind: 'json'; readonly read: Read<Json> }

export function placeOf(stream: Stream, path: string): Place {
  if (path === '_pk') return { kind: 'column', type: 'LONG', read: timeOf }
  const place = placeInEvent(stream, path)
  if (place.kind === 'column') {
    const { read } = place
    return { ...place, read: ({ event }) => read(event) }
  }
  const { read } = place
  return { ...place, read: ({ event }) => read(event) }
}

export function scalarRead(place: Place): Read {
  if (place.kind === 'column') return place.read
  const { read } = place
  return (current) => jsonScalar(read(current))
}
