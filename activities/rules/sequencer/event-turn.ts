import { type Event, writeJson } from '../../../base/json.ts'
import { Refusal } from '../../../base/refusal.ts'
import type { Clock } from '../../../infra/clock.ts'
import type { RuleMemory } from '../../../infra/memory/memory.ts'
import { matchesQueue } from '../../../sql/schema/names.ts'
import type { PlainLine } from '../../events/plain/plain-lines.ts'
import type { References } from '../references/compile.ts'
import type { Outside } from '../references/outside.ts'
import { copyPlace, type Made, type RuleEvent } from '../rule-event.ts'
import type { Due } from '../step/absence.ts'
import type { Step } from '../step/compile.ts'
import type { LineGatherer } from './lines.ts'
import type { StreamPath } from './stream-path.ts'
import {
  isOwnFault,
  numberOf,
  type Outcome,
  outcomeOf,
  type Placed,
  type SequencedWork,
  type Settled,
  settled,
} from './work.ts'

export type EventTurnDeps = {
  readonly schema: string
  readonly clock: Clock
  /** By stream: those whose events rules observe, and those whose events rules make. */
  readonly paths: ReadonlyMap<string, StreamPath>
  readonly references: References
  readonly step: Step
  readonly memory: RuleMemory
  /** A row that a rule made and its stream cannot take. */
  readonly onUnfit: (stream: string, error: unknown) => void
}

/** An event of a turn. A copy is stored at the place of the event that it is of, by which an erasure finds it. */
type Row = { readonly stream: string; readonly event: RuleEvent; readonly place: number }

/** A turn: the lines that it brings to the log, what it has to ask outside, and the events that it leaves out. */
export type Turn = { readonly lines: LineGatherer; readonly outside: Outside; readonly refused: Refused }

/** Why events of a request are not taken, by their places in it: a turn is taken again without them. */
export type Refused = Map<number, Refusal>

/** Rows, copies and matches that rules make of one event: all of them are made in one turn and one commit. */
const maxMade = 10_000

/** An event with its place, before it is stored. */
export type Opened<Stamped extends Placed> = {
  readonly stamped: Stamped
  readonly event: RuleEvent
  readonly line: PlainLine | undefined
}

/**
 * The part of one event in a turn: its references are looked up, it is stored, the rules meet it, and the rows that they make
 * do the same in their streams. All of it is synchronous, and stays in the memory and the lines of the turn.
 */
export function createEventTurn({ schema, clock, paths, references, step, memory, onUnfit }: EventTurnDeps) {
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

  /** Takes what rules make of an event of the stream at that place: the rows go to `rows`, the matches into the turn. */
  function createMade(stream: string, rows: Row[], turn: Turn): (place: number) => Made {
    const copied = new Map<string, number>()
    let count = 0
    return (placeOfEvent) => ({
      row(target, row, pk) {
        const path = pathOf(target)
        if (!path.isOn()) return
        if (++count > maxMade) throw new TooMuchMade(schema, stream)
        const place = path.isCopy ? placeOfEvent : clock.next()
        // Several filters may copy one event into one stream: rules tell the copies apart.
        const copy = `${target} ${place}`
        const before = copied.get(copy) ?? 0
        copied.set(copy, before + 1)
        const seq = copyPlace(place, before) ?? clock.next()
        rows.push({ stream: target, event: { event: { ...row, _pk: numberOf(pk) }, pk, seq }, place })
      },
      match(notification, shown, pk) {
        if (++count > maxMade) throw new TooMuchMade(schema, stream)
        turn.lines.add(matchesQueue(schema), matchLine(notification, shown, pk))
      },
    })
  }

  function meetRules({ stream, event, place }: Row, turn: Turn, madeAt: (place: number) => Made): void {
    references.observe(stream, event, memory.state, turn.outside)
    step.step(stream, event, memory.state, madeAt(place))
  }

  /** An event that is stored meets the rules, and so do the events that they make of it, the first made first. */
  function spread(stream: string, event: RuleEvent, turn: Turn): void {
    const rows: Row[] = []
    const madeAt = createMade(stream, rows, turn)
    meetRules({ stream, event, place: event.seq }, turn, madeAt)
    for (const row of rows) if (writeRow(row, turn)) meetRules(row, turn, madeAt)
  }

  /** A wait of the stream is over: its row, and what the rules make of that. */
  function settle(stream: string, due: Due, turn: Turn): void {
    const rows: Row[] = []
    const madeAt = createMade(stream, rows, turn)
    due.settle(memory.state, madeAt(clock.last()))
    for (const row of rows) if (writeRow(row, turn)) meetRules(row, turn, madeAt)
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

  /** Stores an event that was begun, and lets the rules meet it. */
  function take<Stamped extends Placed>(
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

  return { pathOf, begin, take, settle }
}

/** The rows of one event are more than are made at once. */
export class TooMuchMade extends Error {
  constructor(schema: string, stream: string) {
    super(
      `this event of ${schema}.${stream} is refused: the rules would make more than ${maxMade.toLocaleString('en-US')} rows and matches of it, in the streams to which it and its rows go`,
    )
  }
}
