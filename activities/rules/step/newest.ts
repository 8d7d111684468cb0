import { spaceOf } from '../../../infra/memory/spaces.ts'
import type { RuleState } from '../../../infra/memory/state.ts'
import type { CurrentEvent } from './current-event.ts'

export type Newest = {
  /** Takes note of the time of an event of the stream; one that is ahead counts as the time at which its event came. */
  see(current: Pick<CurrentEvent, 'time'>, state: RuleState): void
  /** The newest time of the stream's events; never later than the event at hand. */
  of(state: RuleState): number
}

/** How far the time of a stream is, by the `_pk` of its events. */
export function createNewest(schema: string, stream: string): Newest {
  const space = spaceOf(schema, stream, 'newest', {})
  const known = (state: RuleState): number => (state.value(space, '') as number | undefined) ?? Number.NEGATIVE_INFINITY
  return {
    see({ time }, state) {
      const counted = Math.min(time, state.came())
      if (counted > known(state)) state.set(space, '', counted)
    },
    // A clock that was ahead once is ahead of no event that comes now.
    of: (state) => Math.min(known(state), state.came()),
  }
}
