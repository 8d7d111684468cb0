import { setImmediate } from 'node:timers/promises'
import { Fault } from '../../../base/faults.ts'
import { type Event, writeJson } from '../../../base/json.ts'
import { Refusal } from '../../../base/refusal.ts'
import type { Clock } from '../../../infra/clock.ts'
import type { KeyedAnswer, TurnLog, TurnPlace } from '../../../infra/log/port.ts'
import type { RuleMemory } from '../../../infra/memory/memory.ts'
import { matchesQueue } from '../../../sql/schema/names.ts'
import type { PlainLine, PlainLines } from '../../events/plain/plain-lines.ts'
import type { References } from '../references/compile.ts'
import type { Outside } from '../references/outside.ts'
import { copyPlace, type RuleEvent } from '../rule-event.ts'
import type { Step } from '../step/compile.ts'
import { createAsking } from './asking.ts'
import { createLineGatherer, type LineGatherer } from './lines.ts'
import { createPace } from './pace.ts'
import type { Seeding } from './seeding.ts'
import type { StreamPath } from './stream-path.ts'
import type { Turns } from './turns.ts'

/** The place of an event: `seq` in the log, `pk` in time. */
export type Placed = { readonly pk: string; readonly seq: number }

/** Events of one request, which are taken together and kept together. */
export type SequencedWork<Stamped extends Placed> = {
  readonly events: readonly Event[]
  /** The lines of those that were read the quick way, at the places of the events. */
  readonly plain?: readonly (PlainLine | undefined)[]
  /** About as long as their lines. */
  readonly bytes: number
  /** Gives an event its place; a Refusal refuses that event. */
  readonly stamp: (event: Event) => Stamped
  /** The answers that are remembered with the events, by idempotency key. */
  readonly answers?: (outcomes: readonly Outcome<Stamped>[]) => readonly KeyedAnswer[]
  /** The place behind the events, where they come from a partition. */
  readonly place?: TurnPlace
}

/** An event is kept, or it is refused with the reason. */
export type Outcome<Stamped extends Placed> =
  | { readonly stamped: Stamped; readonly error?: undefined }
  | { readonly stamped?: undefined; readonly error: unknown }

/** Takes events of a stream in their turn; resolves once those that are not refused are kept. */
export type TakeTurn = <Stamped extends Placed>(work: SequencedWork<Stamped>) => Promise<readonly Outcome<Stamped>[]>

/** The turns of a stream's events; those of one that is taken one by one come alone. */
export type StreamSequencer = {
  readonly take: TakeTurn
  readonly isOneByOne: boolean
  /** Whether events of several requests may be taken together. */
  readonly isGathered?: boolean
  readonly plain?: PlainLines
  /** So many events take no longer than a turn should. */
  readonly groupOf: () => number
  /** The answer to a key, where answers are not kept in the stream's own part of the log. */
  readonly answered?: (key: string) => string | undefined
}

export type SequencerDeps = {
  readonly schema: string
  readonly log: TurnLog
  readonly clock: Clock
  /** By stream: those whose events rules observe, and those whose events rules make. */
  readonly paths: ReadonlyMap<string, StreamPath>
  readonly references: References
  readonly step: Step
  readonly memory: RuleMemory
  readonly turns: Turns
  readonly seeding: Seeding
  /** Whether this process owns the order of the schema, as far as is known without asking; `own` throws where it does not. */
  readonly isOwned: () => boolean
  readonly own: () => Promise<void>
  /** Rows of entities and records that the memory does not have, for one turn. */
  readonly openOutside: () => Outside
  /** A turn waited for something, and held the others meanwhile. */
  readonly onHeld: (seconds: number) => void
  /** A row that a rule made and its stream cannot take. */
  readonly onUnfit: (stream: string, error: unknown) => void
}

/** Lines take up more than their events, by their places: as a rule no more than this many times as much. */
const lineGrowth = 1.75

/** An event of a turn. A copy is stored at the place of the event that it is of, by which an erasure finds it. */
type Row = { readonly stream: string; readonly event: RuleEvent; readonly place: number }

type Turn = { readonly lines: LineGatherer; readonly outside: Outside; readonly refused: Refused }

/** Why events of a request are not taken, by their places in it: a turn is taken again without them. */
type Refused = Map<number, Refusal>

/** Rows, copies and matches that rules make of one event: all of them are made in one turn and one commit. */
const maxMade = 10_000
type Opened<Stamped extends Placed> = {
  readonly stamped: Stamped
  readonly event: RuleEvent
  readonly line: PlainLine | undefined
}

/**
 * The order of a schema with rules. Each event takes its turn: its references are looked up, it is stored, the rules meet
 * it, and the rows that they make go on in their streams. All of that goes to the log in one commit, together with the
 * memory of the rules: so it happened as a whole or not at all, and nothing behind the log depends on anything but the log.
 *
 * A turn is synchronous as long as nothing outside is asked, no model and no table. Otherwise the requests behind it
 * wait for it, in their order.
 */
export function createSequencer(deps: SequencerDeps) {
  const { schema, log, clock, paths, references, step, memory, turns, seeding, openOutside, onHeld, onUnfit } = deps
  const { isOwned, own } = deps
  /** The latest commit. */
  let latest: Promise<unknown> = Promise.resolve()
  const pace = createPace()
  const asking = createAsking()

  function pathOf(stream: string): StreamPath {
    const path = paths.get(stream)
    if (!path) throw new Error(`rules neither observe nor make ${schema}.${stream}`)
    return path
  }

  /** An event with its place. The one that was sent stays as it was: a turn may be taken again. */
  function open<Stamped extends Placed>(work: SequencedWork<Stamped>, index: number): Opened<Stamped> {
    const event: Event = { ...work.events[index] }
    const stamped = work.stamp(event)
    const { pk, seq } = stamped
    if (!Number.isSafeInteger(event._pk)) event._pk = numberOf(pk)
    return { stamped, event: { event, pk, seq }, line: work.plain?.[index] }
  }

  function refer(stream: string, path: StreamPath, event: RuleEvent, { outside }: Turn): void {
    path.before?.(event.event)
    references.resolve(stream, event, memory.state, outside)
  }

  const write = (path: StreamPath, { event, pk, seq }: RuleEvent, { lines }: Turn, place = seq): void =>
    lines.add(path.queue, path.encode(event, pk, place))

  /** Writes a row that rules made; false where its stream cannot take it. */
  function writeRow({ stream, event: row, place }: Row, turn: Turn): boolean {
    const path = pathOf(stream)
    try {
      refer(stream, path, row, turn)
      if (path.after?.kind === 'each') path.after.compute(row.event)
      write(path, row, turn, place)
      return true
    } catch (error) {
      if (!isOwnFault(error)) throw error
      onUnfit(stream, error)
      return false
    }
  }

  /** An event that is stored meets the rules, and so do the events that they make of it, the first made first. */
  function spread(stream: string, event: RuleEvent, turn: Turn): void {
    const copied = new Map<string, number>()
    let count = 0
    const made: Row[] = [{ stream, event, place: event.seq }]
    for (const each of made) {
      if (each.event !== event && !writeRow(each, turn)) continue
      references.observe(each.stream, each.event, memory.state, turn.outside)
      step.step(each.stream, each.event, memory.state, {
        row(target, row, pk) {
          const path = pathOf(target)
          if (!path.isOn()) return
          if (++count > maxMade) throw new TooMuchMade(schema, stream)
          const place = path.isCopy ? each.place : clock.next()
          // Several filters may copy one event into one stream: rules tell the copies apart.
          const copy = `${target} ${place}`
          const before = copied.get(copy) ?? 0
          copied.set(copy, before + 1)
          const seq = copyPlace(place, before) ?? clock.next()
          made.push({ stream: target, event: { event: { ...row, _pk: numberOf(pk) }, pk, seq }, place })
        },
        match(notification, shown, pk) {
          if (++count > maxMade) throw new TooMuchMade(schema, stream)
          turn.lines.add(matchesQueue(schema), matchLine(notification, shown, pk))
        },
      })
    }
  }

  function matchLine(notification: number, shown: Event, pk: string): string {
    const { _pk, _v, ...members } = shown
    const text = writeJson({ _pk: numberOf(pk), _v: 1, ...members })
    return `{"_pk":${pk},"_seq":${clock.next()},"_notifid":${notification},"_event":${JSON.stringify(text)}}\n`
  }

  function close<Stamped extends Placed>(stream: string, { event: mine, line }: Opened<Stamped>, turn: Turn): void {
    const path = pathOf(stream)
    const { event, pk, seq } = mine
    const isWritten = line && turn.lines.addOwn((buffer) => path.plain?.write(line, event, pk, seq, buffer) ?? false)
    if (!isWritten) write(path, mine, turn)
    spread(stream, mine, turn)
  }

  /** An event up to the moment when it is written, but for its predictions. */
  function begin<Stamped extends Placed>(
    stream: string,
    work: SequencedWork<Stamped>,
    index: number,
    turn: Turn,
  ): Settled<Opened<Stamped>> {
    const error = turn.refused.get(index)
    if (error) return { error }
    return settled(() => {
      const opened = open(work, index)
      refer(stream, pathOf(stream), opened.event, turn)
      return opened
    })
  }

  function takeOne<Stamped extends Placed>(
    stream: string,
    begun: Settled<Opened<Stamped>>,
    index: number,
    turn: Turn,
  ): Outcome<Stamped> {
    const opened = begun.value
    if (opened === undefined) return { error: begun.error }
    try {
      return outcomeOf(() => {
        close(stream, opened, turn)
        return opened.stamped
      })
    } catch (error) {
      if (error instanceof TooMuchMade) turn.refused.set(index, new Refusal([error.message]))
      throw error
    }
  }

  /** The events of a stream whose references and events before have nothing to do with its predictions, or one event. */
  async function predict<Stamped extends Placed>(stream: string, work: SequencedWork<Stamped>, outside: Outside) {
    const path = pathOf(stream)
    for (;;) {
      // A look-up changes nothing.
      memory.begin()
      const turn = { lines: createLineGatherer(path.queue, 0), outside, refused: new Map() }
      const begun = work.events.map((_, index) => begin(stream, work, index, turn))
      memory.undo()
      if (!outside.lacks()) {
        const events = begun.flatMap(({ value }) => (value ? [value.event.event] : []))
        if (path.after?.kind === 'together') await path.after.compute(events)
        return begun
      }
      await ask(outside)
    }
  }

  async function latestAcknowledged(): Promise<void> {
    log.hurry?.()
    await latest
  }

  /** No event of the schema is taken meanwhile. */
  async function ask(outside: Outside): Promise<void> {
    await latestAcknowledged()
    await asking(() => outside.fetch())
  }

  /** Takes a turn; undefined where it has to be taken again: something outside has to be asked first, or an event is refused. */
  function attempt<Stamped extends Placed>(
    stream: string,
    work: SequencedWork<Stamped>,
    outside: Outside,
    refused: Refused,
    predicted?: readonly Settled<Opened<Stamped>>[],
  ): Promise<readonly Outcome<Stamped>[]> | undefined {
    const { queue, after } = pathOf(stream)
    log.room?.(queue, work.bytes)
    const measured = pace.measure(work.events.length)
    const turn = { lines: createLineGatherer(queue, lineGrowth * work.bytes), outside, refused }
    let outcomes: Outcome<Stamped>[]
    memory.begin()
    try {
      outcomes = predicted
        ? predicted.map((begun, index) =>
            takeOne(stream, refused.has(index) ? { error: refused.get(index) } : begun, index, turn),
          )
        : work.events.map((_, index) => {
            const begun = begin(stream, work, index, turn)
            if (begun.value && after?.kind === 'each') after.compute(begun.value.event.event)
            return takeOne(stream, begun, index, turn)
          })
    } catch (error) {
      memory.undo()
      if (error instanceof TooMuchMade) return undefined
      throw error
    }
    const own = turn.lines.own()
    if (outside.lacks() || own.rows === 0) {
      memory.undo()
      return outside.lacks() ? undefined : Promise.resolve(outcomes)
    }
    const lines = [{ queue, ...own }, ...turn.lines.others()]
    const changes = memory.changes()
    pace.changed(work.events.length, changes.changes.length)
    const answers = work.answers?.(outcomes)
    const kept = log.commit({
      lines,
      ...changes,
      ...(answers && { answers }),
      ...(work.place && { place: work.place }),
    })
    measured()
    latest = kept.catch(() => {})
    return kept.then(() => outcomes)
  }

  async function filled(): Promise<void> {
    if (seeding.isDone()) return
    await latestAcknowledged()
    await asking(() => seeding.fill())
  }

  /** A turn in which something is waited for: it is taken again with what it lacked. */
  async function turn<Stamped extends Placed>(stream: string, work: SequencedWork<Stamped>, refused: Refused) {
    const outside = openOutside()
    await filled()
    const predicted = isPredicted(stream) ? await predict(stream, work, outside) : undefined
    for (;;) {
      const kept = attempt(stream, work, outside, refused, predicted)
      if (kept) return { kept }
      await ask(outside)
      await setImmediate()
      // Parts of the memory may have been taken away meanwhile.
      await filled()
    }
  }

  const isPredicted = (stream: string): boolean => pathOf(stream).after?.kind === 'together'

  async function takeInTurn<Stamped extends Placed>(
    stream: string,
    work: SequencedWork<Stamped>,
  ): Promise<readonly Outcome<Stamped>[]> {
    if (!isOwned()) await own()
    const refused: Refused = new Map()
    if (!turns.areTaken() && !isPredicted(stream) && seeding.isDone()) {
      const kept = attempt(stream, work, openOutside(), refused)
      if (kept) return kept
    }
    const { kept } = await turns.take(async () => {
      const began_ms = performance.now()
      try {
        return await turn(stream, work, refused)
      } finally {
        onHeld((performance.now() - began_ms) / 1000)
      }
    })
    return kept
  }

  return {
    /** The turns of a stream; undefined where rules have nothing to do with its events. */
    of(stream: string): StreamSequencer | undefined {
      const path = paths.get(stream)
      if (!path) return undefined
      const { plain, isPredictedAlone } = path
      const take: TakeTurn = (work) => takeInTurn(stream, work)
      const isGathered = !isPredicted(stream)
      return { take, isOneByOne: isPredictedAlone, isGathered, groupOf: pace.group, ...(plain && { plain }) }
    },
  }
}

/** The sequencers of a schema's streams; undefined where rules have nothing to do with a stream's events. */
export type Sequencer = { readonly of: (stream: string) => StreamSequencer | undefined }

/** A value as `_pk` has it: a number where that is exact. */
export function numberOf(pk: string): number | bigint {
  const number = Number(pk)
  return Number.isSafeInteger(number) ? number : BigInt(pk)
}

/** The rows of one event are more than are made at once. */
class TooMuchMade extends Error {
  constructor(schema: string, stream: string) {
    super(
      `this event of ${schema}.${stream} is refused: the rules would make more than ${maxMade.toLocaleString('en-US')} rows and matches of it, in the streams to which it and its rows go`,
    )
  }
}

/** Whether the event is at fault, and not what takes it. */
const isOwnFault = (error: unknown): boolean =>
  error instanceof Refusal || (error instanceof Fault && error.kind === 'invalid')

type Settled<Value> =
  | { readonly value: Value; readonly error?: undefined }
  | { readonly value?: undefined; readonly error: unknown }

function settled<Value>(work: () => Value): Settled<Value> {
  try {
    return { value: work() }
  } catch (error) {
    if (isOwnFault(error)) return { error }
    throw error
  }
}

export function outcomeOf<Stamped extends Placed>(work: () => Stamped): Outcome<Stamped> {
  const { value, error } = settled(work)
  return value === undefined ? { error } : { stamped: value }
}
