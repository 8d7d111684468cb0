import type { Event } from '../../base/json.ts'
import type { EventLog } from '../../infra/log/port.ts'
import { outcomeOf, type TakeTurn } from '../rules/sequencer/work.ts'
import type { EncodedEvent, Stamped } from './part.ts'

export type AppendTurnDeps = {
  readonly queue: string
  readonly log: Pick<EventLog, 'append'>
  /** Fills in what a model predicts; absent where nothing is predicted. */
  readonly computeTogether: ((events: readonly Event[]) => Promise<void>) | undefined
  readonly encodeOne: (stamped: Pick<Stamped, 'event' | 'pk' | 'seq'>) => EncodedEvent
  readonly hasKeys: boolean
}

const computedAtOnce = 256

/** The turn of a stream without rules: it only appends its events to the log. */
export const createAppendTurn =
  ({ queue, log, computeTogether, encodeOne, hasKeys }: AppendTurnDeps): TakeTurn =>
  async ({ events, stamp, answers }) => {
    const placed = events.map((event) => ({ event, outcome: outcomeOf(() => stamp(event)) }))
    if (computeTogether) {
      const fit = placed.flatMap(({ event, outcome }) => (outcome.stamped ? [event] : []))
      for (let at = 0; at < fit.length; at += computedAtOnce) await computeTogether(fit.slice(at, at + computedAtOnce))
    }
    const lines: string[] = []
    const keys: string[] = []
    const outcomes = placed.map(({ event, outcome }) => {
      const { stamped } = outcome
      if (stamped === undefined) return outcome
      return outcomeOf(() => {
        const encoded = encodeOne({ event, pk: stamped.pk, seq: stamped.seq })
        lines.push(encoded.line)
        for (const key of encoded.keys ?? []) keys.push(key)
        return stamped
      })
    })
    const rows = lines.length
    if (rows === 0) return outcomes
    await log.append(queue, Buffer.from(lines.join('')), rows, answers?.(outcomes) ?? [], hasKeys ? keys : undefined)
    return outcomes
  }
