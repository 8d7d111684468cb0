import type { Event } from '../../../base/json.ts'
import type { Filter, MovingFilter, Stream } from '../../../sql/schema/schema.ts'
import { compileDocument } from '../../events/places.ts'
import { compileCondition } from './condition.ts'
import { type CurrentEvent, timeOf } from './current-event.ts'
import type { Meet, Moving } from './outcome.ts'
import { placeOf } from './read.ts'
import { compileEach, outermost } from './row.ts'
import { compileSet } from './set-member.ts'

/** A filter whose events the rules make: into a stream that they make, or with a moving value in its condition. */
export function compileFilter(stream: Stream, filter: Filter | MovingFilter, moving: Moving): Meet {
  const { condition, target } = filter
  const notification = 'notification' in filter ? filter.notification : undefined
  const passes = compileCondition(condition, stream, moving)
  const documentOf = compileDocument(stream)
  const copy = compileCopy(stream, filter)
  return (current, state, made) => {
    if (!passes(current, state)) return
    if (target !== undefined) made.row(target, copy(current), current.pk)
    if (notification !== undefined) made.match(notification, documentOf(current.event), current.pk)
  }
}

/** Computed attributes see the whole event, and are added to the copy. */
function compileCopy(
  stream: Stream,
  { attributes, computed = [] }: Filter | MovingFilter,
): (current: CurrentEvent) => Event {
  const copied = outermost(attributes).map((name) => ({ read: placeOf(stream, name).read, set: compileSet(name) }))
  const compute = compileEach(computed, stream)
  const results = computed.map(({ name }) => name)
  return (current) => {
    const time = timeOf(current)
    const copy: Event = { _pk: time }
    for (const { read, set } of copied) {
      const value = read(current)
      if (value !== undefined) set(copy, value)
    }
    if (compute) {
      const whole: Event = { ...current.event, _pk: time }
      compute(whole)
      for (const name of results) {
        const value = whole[name]
        if (value !== undefined && value !== null) copy[name] = value
      }
    }
    return copy
  }
}
