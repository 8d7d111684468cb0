import type { Event } from '../../../base/json.ts'
import type { Filter, MovingFilter, Stream } from '../../../sql/schema/schema.ts'
import { compileDocument } from '../../events/places.ts'
import { compileCondition } from './condition.ts'
import type { Meet, Moving } from './outcome.ts'
import { placeOf } from './read.ts'
import { compileEach, outermost } from './row.ts'
import { compileSet } from './set-member.ts'
import { type Taken, timeOf } from './taken.ts'

/** A filter whose events the rules make: into a stream that they make, or with a moving value in its condition. */
export function compileFilter(stream: Stream, filter: Filter | MovingFilter, moving: Moving): Meet {
  const { condition, target } = filter
  const notification = 'notification' in filter ? filter.notification : undefined
  const passes = compileCondition(condition, stream, moving)
  const documentOf = compileDocument(stream)
  const copy = compileCopy(stream, filter)
  return (taken, state, made) => {
    if (!passes(taken, state)) return
    if (target !== undefined) made.row(target, copy(taken), taken.pk)
    if (notification !== undefined) made.match(notification, documentOf(taken.event), taken.pk)
  }
}

/** Computed attributes see the whole event, and are added to the copy. */
function compileCopy(stream: Stream, { attributes, computed = [] }: Filter | MovingFilter): (taken: Taken) => Event {
  const copied = outermost(attributes).map((name) => ({ read: placeOf(stream, name).read, set: compileSet(name) }))
  const compute = compileEach(computed, stream)
  const results = computed.map(({ name }) => name)
  return (taken) => {
    const time = timeOf(taken)
    const copy: Event = { _pk: time }
    for (const { read, set } of copied) {
      const value = read(taken)
      if (value !== undefined) set(copy, value)
    }
    if (compute) {
      const whole: Event = { ...taken.event, _pk: time }
      compute(whole)
      for (const name of results) {
        const value = whole[name]
        if (value !== undefined && value !== null) copy[name] = value
      }
    }
    return copy
  }
}
