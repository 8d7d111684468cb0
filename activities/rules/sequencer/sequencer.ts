import { setImmediate } from 'node:timers/promises'
import type { TurnLog, TurnPlace } from '../../../infra/log/port.ts'
import type { Outside } from '../references/outside.ts'
import { createAsking } from './asking.ts'
import { createDueTurns } from './due-turns.ts'
import { createEventTurn, type EventTurnDeps, type Opened, type Refused, TooMuchMade } from './event-turn.ts'
import { createLineGatherer } from './lines.ts'
import { createPace } from './pace.ts'
import type { Seeding } from './seeding.ts'
import type { Turns } from './turns.ts'
import {
  type Outcome,
  type Placed,
  RefusedInTurn,
  type SequencedWork,
  type Settled,
  type StreamSequencer,
  type TakeTurn,
} from './work.ts'

export type SequencerDeps = EventTurnDeps & {
  readonly log: TurnLog
  readonly turns: Turns
  readonly seeding: Seeding
  /** Whether this process owns the order of the schema, as far as is known without asking; `own` throws where it does not. */
  readonly isOwned: () => boolean
  readonly own: () => Promise<void>
  /** Rows of entities and records that the memory does not have, for one turn. */
  readonly openOutside: () => Outside
  /** A turn waited for something, and held the others meanwhile. */
  readonly onHeld: (seconds: number) => void
  /** A turn of rows that were due was committed; `late_s` is the lateness of its latest row. */
  readonly onDue: (late_s: number) => void
}

/** Lines take up more than their events, by their places: as a rule no more than this many times as much. */
const lineGrowth = 1.75

/**
 * The order of a schema with rules. Each event takes its turn: its references are looked up, it is stored, the rules meet
 * it, and the rows that they make go on in their streams. All of that goes to the log in one commit, together with the
 * memory of the rules: so it happened as a whole or not at all, and nothing behind the log depends on anything but the log.
 *
 * A turn is synchronous as long as nothing outside is asked, no model and no table. Otherwise the requests behind it
 * wait for it, in their order.
 */
export function createSequencer(deps: SequencerDeps) {
  const { log, paths, memory, turns, seeding, isOwned, own, openOutside, onHeld } = deps
  /** The latest commit. */
  let latest: Promise<unknown> = Promise.resolve()
  const pace = createPace()
  const asking = createAsking()
  const events = createEventTurn(deps)
  const { pathOf } = events
  const dues = createDueTurns({ ...deps, settle: events.settle, isOn: (stream) => pathOf(stream).isOn() })

  /** The events of a stream whose references and events before have nothing to do with its predictions, or one event. */
  async function predict<Stamped extends Placed>(stream: string, work: SequencedWork<Stamped>, outside: Outside) {
    const path = pathOf(stream)
    for (;;) {
      // A look-up changes nothing.
      memory.begin()
      const begun = lookedUp(stream, work, outside)
      if (!outside.lacks()) {
        const opened = begun.flatMap(({ value }) => (value ? [value.event.event] : []))
        if (path.after?.kind === 'together') await path.after.compute(opened)
        return begun
      }
      await ask(outside)
    }
  }

  function lookedUp<Stamped extends Placed>(stream: string, work: SequencedWork<Stamped>, outside: Outside) {
    const turn = { lines: createLineGatherer(pathOf(stream).queue, 0), outside, refused: new Map() }
    try {
      return work.events.map((_, index) => events.begin(stream, work, index, turn))
    } finally {
      memory.undo()
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
            events.take(stream, refused.has(index) ? { error: refused.get(index) } : begun, index, turn),
          )
        : work.events.map((_, index) => {
            const begun = events.begin(stream, work, index, turn)
            if (begun.value && after?.kind === 'each') after.compute(begun.value.event.event)
            return events.take(stream, begun, index, turn)
          })
    } catch (error) {
      memory.undo()
      if (error instanceof TooMuchMade) return undefined
      throw error
    }
    if (work.isWhole && !outside.lacks()) {
      const all = outcomes.flatMap(({ error }, index) => (error === undefined ? [] : [[index, error] as const]))
      if (all.length > 0) {
        memory.undo()
        throw new RefusedInTurn(new Map(all))
      }
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
    const committed = log.commit({
      lines,
      ...changes,
      ...(answers && { answers }),
      ...(work.place && { place: work.place }),
    })
    measured()
    latest = committed.catch(() => {})
    return committed.then(() => outcomes)
  }

  async function filled(): Promise<void> {
    if (seeding.isDone()) return
    await latestAcknowledged()
    await asking(() => seeding.fill())
  }

  /** Takes a turn again, each time with the rows from outside that it lacked, until it is committed. */
  async function again<Committed>(
    outside: Outside,
    take: () => Promise<Committed> | undefined,
  ): Promise<{ readonly committed: Promise<Committed> }> {
    for (;;) {
      const committed = take()
      if (committed) return { committed }
      await ask(outside)
      await setImmediate()
      // Parts of the memory may have been taken away meanwhile.
      await filled()
    }
  }

  /** A turn that waits: the sequencer undoes it, fetches the rows that it lacked, and takes it again. */
  async function turn<Stamped extends Placed>(stream: string, work: SequencedWork<Stamped>, refused: Refused) {
    const outside = openOutside()
    await filled()
    const predicted = isPredicted(stream) ? await predict(stream, work, outside) : undefined
    return again(outside, () => attempt(stream, work, outside, refused, predicted))
  }

  /**
   * Takes a turn of at most `most` events whose wait for another event is over. Resolves to their number once their rows are
   * committed; `place` is the place in the partition behind which the turn stands.
   */
  async function takeDue(most: number, place?: TurnPlace): Promise<number> {
    if (!dues.isDue()) return 0
    if (!isOwned()) await own()
    const attemptDue = (outside: Outside): Promise<number> | undefined => {
      const committed = dues.attempt(outside, most, place)
      if (committed) latest = committed.catch(() => {})
      return committed
    }
    if (!turns.areTaken() && seeding.isDone()) {
      const committed = attemptDue(openOutside())
      if (committed) return committed
    }
    const { committed } = await turns.take(async () => {
      await filled()
      const outside = openOutside()
      return again(outside, () => attemptDue(outside))
    })
    return committed
  }

  const isPredicted = (stream: string): boolean => pathOf(stream).after?.kind === 'together'

  async function takeInTurn<Stamped extends Placed>(
    stream: string,
    work: SequencedWork<Stamped>,
  ): Promise<readonly Outcome<Stamped>[]> {
    if (!isOwned()) await own()
    const refused: Refused = new Map()
    if (!turns.areTaken() && !isPredicted(stream) && seeding.isDone()) {
      const committed = attempt(stream, work, openOutside(), refused)
      if (committed) return committed
    }
    const { committed } = await turns.take(async () => {
      const began_ms = performance.now()
      try {
        return await turn(stream, work, refused)
      } finally {
        onHeld((performance.now() - began_ms) / 1000)
      }
    })
    return committed
  }

  return {
    ...(deps.step.awaits && { takeDue }),
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
export type Sequencer = {
  readonly of: (stream: string) => StreamSequencer | undefined
  /** Takes a turn of no event, where events wait for others; resolves to how many have waited long enough. */
  readonly takeDue?: (most: number, place?: TurnPlace) => Promise<number>
}
