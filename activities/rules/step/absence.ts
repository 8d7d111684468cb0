import type { Event } from '../../../base/json.ts'
import { waitSpace } from '../../../infra/memory/spaces.ts'
import type { RuleState } from '../../../infra/memory/state.ts'
import type { WaitOrder } from '../../../infra/memory/waits.ts'
import type { Absence, Rule, Schema, Stream } from '../../../sql/schema/schema.ts'
import type { EventPlace, Made } from '../rule-event.ts'
import type { CurrentEvent } from './current-event.ts'
import type { Newest } from './newest.ts'
import { compileCodec, type RememberedEvent } from './remembered.ts'
import { outermost } from './row.ts'
import { compileSet } from './set-member.ts'

/** An event that waits for a partner: when it came, and what its row would have. */
type Wait = readonly [came: number, kept: RememberedEvent]

/** A wait that is over: `at` is when it was, in microseconds. */
export type Due = {
  /** The stream whose event waited, and a name of the wait that no other one has. */
  readonly stream: string
  readonly name: string
  readonly at: number
  /** By how much the clock is past it, in microseconds: 0 where only events are. */
  readonly late_us: number
  /** Forgets the wait; its row and its match go to `made`, where that is there. */
  settle(state: RuleState, made?: Made): void
}

/** The events of one side of a rule that wait for a partner. */
export type Waiting = {
  /** An event begins to wait. */
  begin(current: CurrentEvent, state: RuleState): void
  /** A partner came for an event: that waits no more, unless its time is over, as will be told. */
  end(event: EventPlace, state: RuleState): void
}

/** The end of waits without an event that ends them. */
export type Ending = {
  /** The streams without which none is missed: one of them that is OFF has no events. */
  readonly streams: readonly string[]
  readonly space: string
  /** The waits that are over, some of them where there are many. */
  due(state: RuleState, order: WaitOrder, most: number): Due[]
}

/** A wait that ends by the clock lasts this much longer, since an event in time may still be on its way. */
export const grace_us = 1_000_000

export const silent: Waiting = { begin() {}, end() {} }

type Side = { readonly stream: Stream; readonly rule?: Rule }

/** Gives a side of a rule what its events need to wait; `definition` says all else that the rule remembers. */
export type Await = (side: Side, definition: unknown) => Waiting

type AbsenceDeps = {
  readonly schema: Schema
  readonly newestOf: (stream: string) => Newest
  /** Takes what ends the waits of a side. */
  readonly ends: (ending: Ending) => void
}

export function compileAbsence(
  { schema, newestOf, ends }: AbsenceDeps,
  { stream, rule }: Side,
  definition: unknown,
): Waiting {
  const absent = rule?.absent
  if (rule === undefined || absent === undefined) return silent
  const { after_us } = absent
  const space = waitSpace(schema.name, stream.name, [definition, after_us])
  const streams = [...new Set([stream.name, rule.partner ?? stream.name])]
  const newest = streams.map(newestOf)
  const codec = compileCodec(stream, rule.inputs)
  const tell = compileTell(rule, absent, stream)
  const keyOf = ({ seq }: Pick<EventPlace, 'seq'>): string => String(seq)

  /** Events before this time have waited long enough, by the events that came since. */
  const pastByEvents = (state: RuleState): number => Math.max(...newest.map((each) => each.of(state))) - after_us
  /** The same of the time at which they came, by the clock. */
  const pastByClock = (state: RuleState): number => state.came() - after_us - grace_us
  const waitOf = (state: RuleState, key: string) => state.value(space, key) as Wait | undefined

  ends({
    streams,
    space,
    due(state, order, most) {
      // Nothing has come yet, and it is not known how much waits to come.
      if (!Number.isFinite(state.came())) return []
      const found = new Map<string, Due>()
      function add(key: string, pk: number, [came, kept]: Wait): void {
        found.set(key, {
          stream: stream.name,
          name: `${space} ${key}`,
          at: pk + after_us,
          late_us: Math.max(0, pastByClock(state) - came),
          settle(changed, made) {
            changed.set(space, key, undefined)
            if (made) tell(kept, pk, made)
          },
        })
      }
      /** The clock was ahead when it came, and the process has begun anew since: it waits from now on. */
      function renew(key: string, pk: number, [, kept]: Wait): void {
        const settle = (changed: RuleState): void => {
          const wait: Wait = [changed.came(), kept]
          changed.set(space, key, wait, { seq: Number(key), pk })
        }
        found.set(key, { stream: stream.name, name: `${space} ${key}`, at: pk + after_us, late_us: 0, settle })
      }
      const byEvents = pastByEvents(state)
      for (const [key, pk] of order.earliest(most)) {
        if (pk >= byEvents) break
        const wait = waitOf(state, key)
        if (wait) add(key, pk, wait)
      }
      const byClock = pastByClock(state)
      for (const [key, pk] of order.oldest()) {
        if (found.size >= most) break
        const wait = waitOf(state, key)
        if (!wait) continue
        if (wait[0] > state.came() + grace_us) renew(key, pk, wait)
        else if (wait[0] >= byClock) break
        else add(key, pk, wait)
      }
      return [...found.values()]
    },
  })

  return {
    begin(current, state) {
      const { seq, time: pk } = current
      const wait: Wait = [state.came(), codec.encode(current)]
      state.set(space, keyOf(current), wait, { seq, pk })
    },
    end(event, state) {
      const key = keyOf(event)
      const wait = waitOf(state, key)
      if (!wait || event.pk < pastByEvents(state) || wait[0] < pastByClock(state)) return
      state.set(space, key, undefined)
    },
  }
}

/** Makes the row and the match of an event that found no partner. */
function compileTell({ inputs }: Rule, { target, notification, after_us }: Absence, stream: Stream) {
  const codec = compileCodec(stream, inputs)
  const members = outermost(inputs).map((name) => ({ read: codec.json(name), set: compileSet(name) }))
  return (kept: RememberedEvent, pk: number, made: Made): void => {
    const exact = BigInt(codec.time(kept, pk)) + BigInt(after_us)
    const text = String(exact)
    const due = Number.isSafeInteger(Number(exact)) ? Number(exact) : exact
    const row: Event = { _pk: due }
    for (const { read, set } of members) {
      const value = read(kept)
      if (value !== undefined) set(row, value)
    }
    if (target !== undefined) made.row(target, row, text)
    if (notification !== undefined) made.match(notification, row, text)
  }
}
