import { Fault } from '../../../base/faults.ts'
import type { Event } from '../../../base/json.ts'
import type { PlainLine } from '../../events/plain/plain-lines.ts'
import type { Placed, StreamSequencer } from './work.ts'

type Waiting<Stamped> = {
  readonly event: Event
  readonly line: PlainLine | undefined
  readonly bytes: number
  readonly resolve: (stamped: Stamped) => void
  readonly reject: (error: unknown) => void
}

/**
 * Events that come alone: those that come in the same round of the event loop are taken in one turn. An event that is
 * refused, or at which a turn fails, leaves the others as they are.
 */
export function createGathering<Stamped extends Placed>(
  { take, groupOf }: Pick<StreamSequencer, 'take' | 'groupOf'>,
  stamp: (event: Event) => Stamped,
) {
  let waiting: Waiting<Stamped>[] = []

  function takeWaiting(): void {
    const group = groupOf()
    const events = waiting
    waiting = events.length > group ? events.splice(group) : []
    if (waiting.length > 0) setImmediate(takeWaiting)
    void takeTogether(events)
  }

  async function takeTogether(all: readonly Waiting<Stamped>[]): Promise<void> {
    try {
      const outcomes = await take<Stamped>({
        events: all.map(({ event }) => event),
        plain: all.map(({ line }) => line),
        bytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
        stamp,
      })
      for (const [index, { resolve, reject }] of all.entries()) {
        const outcome = outcomes[index]
        if (outcome?.stamped) resolve(outcome.stamped)
        else reject(outcome?.error)
      }
    } catch (error) {
      // A fault is that of the log or of ClickHouse, which each event alone would meet as well.
      if (error instanceof Fault || all.length === 1) for (const { reject } of all) reject(error)
      else for (const each of all) void takeTogether([each])
    }
  }

  return (event: Event, line: PlainLine | undefined, bytes: number): Promise<Stamped> =>
    new Promise((resolve, reject) => {
      if (waiting.push({ event, line, bytes, resolve, reject }) === 1) setImmediate(takeWaiting)
    })
}
