import type { Event } from '../../base/json.ts'
import type { Clock } from '../../infra/clock.ts'
import type { ByteBudget } from '../../infra/limits/byte-budget.ts'
import type { EventLog } from '../../infra/log/port.ts'
import type { OddTime, TimeNotes } from '../events/event-time.ts'
import { LineBuffer } from '../events/plain/line-buffer.ts'
import type { PlainEvents } from '../events/plain/plain-events.ts'
import type { Idempotency } from './idempotency.ts'
import { type EncodedEvent, maxNames, type OpenParts, type Part, type Stamped } from './part.ts'

export type LinePartsDeps = {
  readonly queue: string
  readonly log: Pick<EventLog, 'append'>
  readonly clock: Clock
  readonly idempotency: Pick<Idempotency, 'claim'>
  readonly room: Pick<ByteBudget, 'takeNow' | 'give'>
  readonly times: Pick<TimeNotes, 'oddityOf' | 'refuseOfPage'>
  readonly stamp: (event: Event, isOfPage: boolean) => Stamped
  readonly encodeOne: (stamped: Pick<Stamped, 'event' | 'pk' | 'seq'>) => EncodedEvent
  readonly plain?: PlainEvents
  readonly hasKeys: boolean
}

/** A part is full at these: one is a block of ClickHouse's, and a short turn of ours. */
const fullBytes = 7.75 * 1024 * 1024
const fullRows = 100_000
/** Lines take up more than their events, by their places: as a rule no more than this many times as much. */
const usualGrowth = 1.75
const minRoom = 64 * 1024

/**
 * The parts of a stream whose events meet neither rules nor models: each line is written as it comes. Lines take no more room
 * than a part, and beyond what their body has of it only what `room` gives.
 */
export function createLineParts(deps: LinePartsDeps): OpenParts {
  const { queue, log, clock, idempotency, room, times, stamp, encodeOne, plain, hasKeys } = deps

  return ({ body, at, isOfPage, refuse }) => {
    const ownRoom = Math.min(fullBytes, Math.max(minRoom, usualGrowth * body.length))
    const lines = new LineBuffer(Math.min(fullBytes + minRoom, usualGrowth * (body.length - at)))
    const held = { bytes: 0 }

    function begin(): Part {
      const claim = idempotency.claim()
      const keys: string[] = []
      const odds = { late: 0, ahead: 0 }
      let [rows, names, last] = [0, 0, 0]
      let isFull = false

      function added(seq: number, odd: OddTime | undefined): void {
        rows++
        last = seq
        if (odd) odds[odd]++
        const { length } = lines
        isFull = rows >= fullRows || names >= maxNames || length >= fullBytes
        if (isFull || length < ownRoom || held.bytes > 0) return
        isFull = !room.takeNow(held, fullBytes)
      }

      return {
        claim,
        isEmpty: () => rows === 0,
        isFull: () => isFull,

        addPlain(line) {
          if (!plain?.read(body, line.start, line.end)) return false
          const seq = clock.next()
          const time = plain.time() ?? seq
          const odd = times.oddityOf(time, seq)
          if (isOfPage) times.refuseOfPage(odd, time)
          plain.write(seq, lines)
          if (hasKeys) keys.push(plain.key(seq))
          added(seq, odd)
          return true
        },

        add(_, event, name) {
          const stamped = stamp(event, isOfPage)
          const encoded = encodeOne(stamped)
          lines.text(encoded.line)
          for (const key of encoded.keys ?? []) keys.push(key)
          if (name !== undefined) {
            claim.add(name, stamped.answer, stamped.seq)
            names++
          }
          added(stamped.seq, stamped.odd)
        },

        refuse,

        async bring(note) {
          const brought = { rows, last, ...odds, refused: [] }
          const answers = [...claim.answers(), ...note(brought)]
          await log.append(queue, lines.taken(), rows, answers, hasKeys ? keys : undefined)
          // Only now: a log that has refused them may hold the bytes still.
          lines.length = 0
          return brought
        },
      }
    }

    function close(): void {
      plain?.release()
      room.give(held)
    }

    return { begin, close }
  }
}
