import { type Line, reasonOf } from '../../base/each-line.ts'
import type { Event } from '../../base/json.ts'
import type { PlainLine } from '../events/plain/plain-lines.ts'
import type { Outcome, StreamSequencer } from '../rules/sequencer/work.ts'
import type { Idempotency } from './idempotency.ts'
import { type Brought, maxNames, type OpenParts, type Part, type Stamped } from './part.ts'

export type TurnPartsDeps = {
  readonly turns: Pick<StreamSequencer, 'take' | 'plain' | 'isOneByOne' | 'groupOf'>
  readonly idempotency: Pick<Idempotency, 'claim'>
  readonly stamp: (event: Event, isOfPage: boolean) => Stamped
}

/** A line of a part: its event, which may bear a key of that name, or why it is refused. */
type Item =
  | { readonly line: Line; readonly event: Event; readonly plain?: PlainLine; readonly name?: string | undefined }
  | { readonly line: Line; readonly event?: undefined; readonly error: unknown }

const fullBytes = 1024 * 1024

/** The parts of a stream whose events meet rules or models: those of a part take their turn together, which brings them to the log. */
export function createTurnParts({ turns, idempotency, stamp }: TurnPartsDeps): OpenParts {
  const { take, plain, isOneByOne, groupOf } = turns

  return ({ body, isOfPage }) => {
    function begin(): Part {
      const claim = idempotency.claim()
      const items: Item[] = []
      const fullItems = isOneByOne ? 1 : groupOf()
      let [bytes, names] = [0, 0]

      function put(item: Item): void {
        items.push(item)
        bytes += item.line.end - item.line.start
      }

      /** The part after its turn. */
      function broughtBy(outcomes: readonly Outcome<Stamped>[]): Brought {
        const odds = { late: 0, ahead: 0 }
        let [rows, last, index] = [0, 0, 0]
        const refused = items.flatMap((item) => {
          const outcome: Outcome<Stamped> | undefined = item.event ? outcomes[index++] : { error: item.error }
          const stamped = outcome?.stamped
          if (stamped === undefined) return { line: item.line, error: outcome?.error }
          rows++
          last = stamped.seq
          if (stamped.odd) odds[stamped.odd]++
          return []
        })
        return { rows, last, ...odds, refused }
      }

      return {
        claim,
        isEmpty: () => items.length === 0,
        isFull: () => items.length >= fullItems || names >= maxNames || bytes >= fullBytes,

        addPlain(line) {
          const read = plain?.read(body, line.start, line.end)
          if (read) put({ line, event: read.event, plain: read })
          return read !== undefined
        },

        add(line, event, name) {
          put({ line, event, name })
          if (name === undefined) return
          // The answer is known once the event has had its turn; that of a refused one stays empty.
          claim.add(name, '', 0)
          names++
        },

        refuse(line, error) {
          void reasonOf(error)
          put({ line, error })
        },

        async bring(note) {
          const sent = items.flatMap((item) => (item.event ? item : []))
          if (sent.length === 0) return broughtBy([])
          const outcomes = await take<Stamped>({
            events: sent.map(({ event }) => event),
            plain: sent.map((item) => item.plain),
            bytes,
            stamp: (event) => stamp(event, isOfPage),
            answers(outcomes) {
              for (const [index, { stamped }] of outcomes.entries()) {
                const name = sent[index]?.name
                if (stamped && name !== undefined) claim.add(name, stamped.answer, stamped.seq)
              }
              return [...claim.answers().filter(({ seq }) => seq > 0), ...note(broughtBy(outcomes))]
            },
          })
          return broughtBy(outcomes)
        },
      }
    }

    return { begin, close: () => plain?.release() }
  }
}
