import type { Event } from '../../../base/json.ts'
import { waitSpace } from '../../../infra/memory/spaces.ts'
import type { RuleState } from '../../../infra/memory/state.ts'
import type { WaitOrder } from '../../../infra/memory/waits.ts'
import type { Schema, Stream } from '../../../sql/schema/schema.ts'
import { type StreamSession, sessionsOf } from '../../../sql/schema/sessions.ts'
import { keyText } from '../../events/compare.ts'
import type { Scalar } from '../../events/values.ts'
import { readKeyPart } from '../references/entity-source.ts'
import type { Made } from '../rule-event.ts'
import { type Due, type Ending, grace_us } from './absence.ts'
import type { CurrentEvent } from './current-event.ts'
import type { Newest } from './newest.ts'
import type { Meet } from './outcome.ts'
import { compileSessionStatistics, noState, type SessionState } from './session-statistics.ts'
import { compileSet } from './set-member.ts'

/** A session that is open: the times of its first and last event, the number of its events, and a state for each value. */
type Open = readonly [from: number, to: number, count: number, states: readonly SessionState[]]

/**
 * The open sessions of a key: when its latest event came, by the clock, and the time of the stream by which it is silent, in
 * microseconds. As a rule there is one session; events whose times are far apart make several.
 */
type OpenOfKey = readonly [came: number, until: number, key: readonly Scalar[], sessions: readonly Open[]]

/** Sessions of one key that are open at once; past it the one that began first is closed. */
const maxOpen = 16

type SessionDeps = {
  readonly schema: Schema
  readonly newestOf: (stream: string) => Newest
  /** Takes what closes sessions without an event. */
  readonly ends: (ending: Ending) => void
}

/** The sessions of a stream's events: each is kept up event by event, and gives a row when it is closed. */
export const compileSessions = (deps: SessionDeps, stream: Stream): Meet[] =>
  sessionsOf(stream).map((each) => compileSession(deps, stream, each))

function compileSession({ schema, newestOf, ends }: SessionDeps, stream: Stream, of: StreamSession): Meet {
  const { gap_us, longest_us } = of.session
  const { target: _target, notification: _notification, ...meaning } = of.session
  const space = waitSpace(schema.name, stream.name, { ...of, session: meaning })
  const newest = newestOf(stream.name)
  const readers = of.keys.map((key) => readKeyPart(stream, key))
  const values = of.values.map((value) => compileSessionStatistics(stream, value))
  const tell = compileTell(of, values)

  const openOf = (state: RuleState, key: string) => state.value(space, key) as OpenOfKey | undefined
  /** Whether the key has been silent for long enough, by the events that came since or by the clock. */
  const isSilent = ([came, until]: OpenOfKey, state: RuleState): boolean =>
    until < newest.of(state) || came < state.came() - gap_us - grace_us

  const noStates = values.map(() => noState)
  const joined = (one: Open, current: CurrentEvent): Open => [
    Math.min(one[0], current.time),
    Math.max(one[1], current.time),
    one[2] + 1,
    values.map((value, index) => value.add(one[3][index] ?? noState, current)),
  ]
  const merged = (one: Open, other: Open): Open => [
    Math.min(one[0], other[0]),
    Math.max(one[1], other[1]),
    one[2] + other[2],
    values.map((value, index) => value.merge(one[3][index] ?? noState, other[3][index] ?? noState)),
  ]

  function put(state: RuleState, text: string, open: OpenOfKey, seq: number): void {
    state.set(space, text, open, { seq, pk: open[1] })
  }

  ends({
    // Events that were acknowledged before their stream was OFF are still processed.
    streams: [],
    space,
    due(state, order: WaitOrder, most): Due[] {
      // Nothing has come yet, and it is not known how much waits to come.
      if (!Number.isFinite(state.came())) return []
      const found = new Map<string, Due>()
      const byClock = (): number => state.came() - gap_us - grace_us
      function add(text: string, open: OpenOfKey): void {
        const [came, , key, sessions] = open
        found.set(text, {
          stream: stream.name,
          name: `${space} ${text}`,
          at: Math.min(...sessions.map(([, to]) => to + gap_us)),
          late_us: Math.max(0, byClock() - came),
          settle(changed, made) {
            changed.set(space, text, undefined)
            if (made) for (const session of sessions) tell(key, session, session[1] + gap_us, made)
          },
        })
      }
      /** The clock was ahead when its latest event came, and the process has begun anew since: it is silent from now on. */
      function renew(text: string, [, until, key, sessions]: OpenOfKey): void {
        const settle = (changed: RuleState): void => {
          put(changed, text, [changed.came(), until, key, sessions], changed.now())
        }
        found.set(text, { stream: stream.name, name: `${space} ${text}`, at: until, late_us: 0, settle })
      }
      const byEvents = newest.of(state)
      for (const [text, until] of order.earliest(most)) {
        if (until >= byEvents) break
        // An event may have come that no commit has yet: the key is silent no more.
        const open = openOf(state, text)
        if (open && open[1] < byEvents) add(text, open)
      }
      for (const [text] of order.oldest()) {
        if (found.size >= most) break
        const open = openOf(state, text)
        if (!open) continue
        if (open[0] > state.came() + grace_us) renew(text, open)
        else if (open[0] >= byClock()) break
        else add(text, open)
      }
      return [...found.values()]
    },
  })

  return (current, state, made) => {
    const key: Scalar[] = []
    for (const read of readers) {
      const part = read(current.event)
      if (part === undefined) return
      key.push(part)
    }
    const { time, seq } = current
    const text = keyText(key)
    const before = openOf(state, text)
    const now = newest.of(state)
    const others: Open[] = []
    /** The session that the event is of, with the event. */
    let mine: Open | undefined
    if (before && isSilent(before, state)) {
      for (const session of before[3]) tell(before[2], session, session[1] + gap_us, made)
    } else {
      for (const session of before?.[3] ?? []) {
        const [from, to] = session
        const isNear = time >= from - gap_us && time <= to + gap_us
        const length = Math.max(mine?.[1] ?? time, to) - Math.min(mine?.[0] ?? time, from)
        if (isNear && length <= longest_us) mine = mine ? merged(mine, session) : joined(session, current)
        // The event would make it too long.
        else if (isNear && time > to) tell(key, session, time, made)
        else if (!isNear && to + gap_us < now) tell(key, session, to + gap_us, made)
        else others.push(session)
      }
    }
    const sessions = [...others, mine ?? joined([time, time, 0, noStates], current)].sort(
      ([one], [other]) => one - other,
    )
    while (sessions.length > maxOpen) {
      const [first] = sessions.splice(0, 1)
      if (first) tell(key, first, first[1] + gap_us, made)
    }
    put(state, text, [state.came(), now + gap_us, key, sessions], seq)
  }
}

const whole = (us: number): number | bigint => (Number.isSafeInteger(us) ? us : BigInt(us))

/** Makes the row and the match of a session that is closed. */
function compileTell(
  { session: { target, notification }, keys, values }: StreamSession,
  statistics: readonly ReturnType<typeof compileSessionStatistics>[],
) {
  const names = keys.map(({ name }) => compileSet(name))
  const isOfEntity = values.some(({ name }) => name !== undefined)
  return (key: readonly Scalar[], [from, to, count, states]: Open, pk: number, made: Made): void => {
    const row: Event = { _pk: whole(pk) }
    for (const [index, set] of names.entries()) set(row, key[index])
    row.from = whole(from)
    row.to = whole(to)
    if (isOfEntity) row.cnt = count
    for (const [index, { name }] of values.entries()) {
      const members = statistics[index]?.members(states[index] ?? noState) ?? []
      if (name === undefined) Object.assign(row, Object.fromEntries(members))
      else compileSet(name)(row, Object.fromEntries(members))
    }
    const text = String(row._pk)
    if (target !== undefined) made.row(target, row, text)
    if (notification !== undefined) made.match(notification, row, text)
  }
}
