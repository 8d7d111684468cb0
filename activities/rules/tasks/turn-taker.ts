import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '../../../base/faults.ts'
import { type Event, writeJson } from '../../../base/json.ts'
import type { Arrivals } from '../../../infra/log/arrivals.ts'
import type { TurnPlace } from '../../../infra/log/port.ts'
import type { RuleTask, TurnTaker } from '../../../infra/log/rule-tasks.ts'
import type { Logger } from '../../../infra/logger.ts'
import type { RuleMemory } from '../../../infra/memory/memory.ts'
import { spacesOf } from '../../../infra/memory/spaces.ts'
import type { RuleState } from '../../../infra/memory/state.ts'
import type { Metrics } from '../../../infra/metrics.ts'
import { queueName, turnsQueue } from '../../../sql/schema/names.ts'
import type { PlainLine } from '../../events/plain/plain-lines.ts'
import { refillStarts } from '../references/seed.ts'
import { storedPlace } from '../rule-event.ts'
import type { Seeding } from '../sequencer/seeding.ts'
import type { Sequencer, StreamSequencer } from '../sequencer/sequencer.ts'
import { movedBetween } from './partition-keys.ts'
import { createTurnReader, readEvent, startsOfLines, type Told, type TurnHead, type TurnLine } from './turn-lines.ts'

/** A schema's rules as a version of it has them, over the memory of a task. */
export type TaskSequencer = {
  readonly of: string
  /** Streams that were OFF when the events were sent that take their turn now. */
  readonly off: Set<string>
  readonly sequencer: Sequencer
  readonly seeding: Seeding
  readonly queues: readonly string[]
  /** By stream: how events come to partitions. */
  readonly routings: Readonly<Record<string, string>>
}

export type TurnTakerDeps = {
  readonly task: RuleTask
  readonly memory: RuleMemory
  /** A message has its turn that came to wait at that time. */
  readonly onMessage: (appended_us: number) => void
  /** The version that this process knows, compiled for the task; undefined where it knows none. */
  readonly versionNow: () => { readonly of: string; readonly open: () => TaskSequencer } | undefined
  /** The stream among whose rejected lines those go that are none of Weir's. */
  readonly asideWith: () => string
  readonly arrivals: Arrivals
  /** Keeps a line that will never be taken, for those who look after the service; nothing changes by a repeat under the same token. */
  readonly reject: (queue: string, line: string, reason: string, token: string) => Promise<void>
  readonly metrics: Pick<Metrics, 'eventsRejected'>
  readonly logger: Logger
}

/** Events of a stream that take their turn together. */
type Group = {
  readonly head: TurnHead
  readonly events: Event[]
  readonly plain: (PlainLine | undefined)[]
  readonly bytes: number
  /** The token of the turn's first line. */
  readonly token: string
}

/** Events of a schema that another process has edited wait until this one has followed. */
const followPause_ms = 20
const followPatience_ms = 20_000
/** Between two attempts at a turn that ClickHouse did not answer. */
const pauses_ms = [100, 500, 1_000, 2_000]
/** Questions of a turn that had no answer, or a memory without room: what comes later may have one. */
const isPassing = (error: unknown): boolean =>
  error instanceof Unanswered ||
  (error instanceof Fault && ['unavailable', 'late', 'limited', 'too many'].includes(error.kind))

/** ClickHouse, or another part that a turn asked, failed to answer, which says nothing of the turn's event. */
export class Unanswered extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.name = 'Unanswered'
  }
}

/** Says by which attributes the events have come to their partitions. */
export const routingSpace = (schema: string): string => `${schema}.weir__turns/routing`

/** Has the places of erased events of which the last line has not come yet. */
export const erasedSpace = (schema: string): string => `${schema}.weir__turns/erased`

function quietly<Value>(work: () => Value): Value | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

/** Another form was kept, of keys that were made in another way. */
function readRoutings(text: string, now: TaskSequencer['routings']): TaskSequencer['routings'] {
  const read = JSON.parse(text)
  return Array.isArray(read) ? Object.fromEntries(Object.keys(now).map((name) => [name, ''])) : read
}

/** Takes the lines of a task's partition in their order, each by the rules of the schema that it was sent to. */
export function createTurnTaker(deps: TurnTakerDeps): TurnTaker {
  const { task, memory, onMessage, versionNow, asideWith, arrivals, reject, metrics, logger } = deps
  const { schema } = task
  let current: TaskSequencer | undefined
  const read = createTurnReader()
  /** Versions that no process seems to have any more. */
  const gone = new Set<string>()

  async function sequencerFor(of: string, at: TurnPlace): Promise<TaskSequencer | undefined> {
    for (const end = performance.now() + followPatience_ms; ; await sleep(followPause_ms)) {
      const version = versionNow()
      if (current?.of === of && version?.of === of) return current
      const isLate = gone.has(of) || performance.now() > end
      if (isLate) gone.add(of)
      if (version && (version.of === of || isLate)) {
        if (current?.of === version.of) return current
        await task.caughtUpHere()
        current = version.open()
        await route(current, at)
        return current
      }
      if (isLate) return undefined
    }
  }

  /** Where events of a stream go to other partitions than before, what the rules remember of them is elsewhere: it goes. */
  async function route({ routings }: TaskSequencer, at: TurnPlace): Promise<void> {
    if (task.partitions === 1) return
    const space = routingSpace(schema)
    const text = JSON.stringify(routings)
    const before = memory.state.value(space, '')
    if (before === text) return
    const moved = typeof before === 'string' ? movedBetween(readRoutings(before, routings), routings) : []
    for (const stream of moved) await memory.drop(spacesOf(schema, stream))
    if (moved.length > 0) {
      logger.warn(
        { schema, streams: moved },
        'events come to other partitions since an edit: rules forget those of before',
      )
    }
    await commit(at, (state) => state.set(space, '', text))
  }

  /** Changes the memory with the place. */
  async function commit(at: TurnPlace, change: (state: RuleState) => void): Promise<void> {
    memory.begin()
    change(memory.state)
    await task.log.commit({ lines: [], ...memory.changes(), place: at })
  }

  /** Places come in several lines, and what is remembered is gone over once for all of them. */
  async function forget(
    { stream, places, goesOn }: Extract<Told, { kind: 'forget' }>,
    behind: TurnPlace,
  ): Promise<void> {
    const space = erasedSpace(schema)
    if (goesOn) {
      return commit(behind, (state) =>
        state.list(space, stream).add({ seq: task.clock.next(), pk: Number.NaN, value: places }),
      )
    }
    const before = memory.state.list(space, stream).items.flatMap(({ value }) => value as readonly number[])
    const all = new Set([...before, ...places])
    await memory.forget(schema, stream, (seq) => all.has(storedPlace(seq)))
    if (before.length > 0) await memory.drop(space)
  }

  async function takeGroup(
    found: TaskSequencer,
    { take }: StreamSequencer,
    group: Group,
    at: TurnPlace,
  ): Promise<void> {
    const { events, plain, bytes } = group
    const { stream, off } = group.head
    if ([...found.off].join() !== off) {
      await task.caughtUpHere()
      found.off.clear()
      for (const name of off === '' ? [] : off.split(',')) found.off.add(name)
    }
    const coming = found.queues.map((queue) => arrivals.begin(queue))
    const taken = take({
      events,
      plain,
      bytes,
      stamp: (event) => ({ pk: String(event._pk), seq: task.clock.next() }),
      place: at,
    })
    const end = (): void => {
      for (const arrival of coming) arrival.end()
    }
    taken.then(end, end)
    // The next ones need not wait for the commit.
    const told = taken.then(async (outcomes) => {
      for (const [index, { error }] of outcomes.entries()) {
        if (error !== undefined) await leave(stream, events[index], error, `${group.token}.${index}`)
      }
    })
    await Promise.race([told, task.reached(at)])
  }

  /** The event has been acknowledged, so that its client cannot be told. */
  const leave = (stream: string, event: Event | undefined, error: unknown, token: string): Promise<void> =>
    setAside(queueName(schema, stream), writeJson(event ?? {}), error, token, event?._pk)

  async function setAside(queue: string, line: string, error: unknown, token: string, pk?: unknown): Promise<void> {
    const reason = error instanceof Error ? error.message : String(error)
    const code = error instanceof Fault ? error.kind : error instanceof Error ? error.name : undefined
    await inPlace(() =>
      reject(queue, line, reason, token).catch((cause: unknown) => Promise.reject(new Unanswered(cause))),
    )
    metrics.eventsRejected.inc({ stream: queue })
    logger.warn(
      { queue, _pk: pk === undefined ? undefined : String(pk), code },
      'a line of turns is set aside in __rejected',
    )
  }

  /** Tries work again for as long as what it asks for does not answer: those behind wait. */
  async function inPlace<Result>(work: () => Promise<Result>): Promise<Result> {
    for (let round = 0; ; round++) {
      try {
        const result = await work()
        if (round > 0) {
          task.troubled(undefined)
          logger.info({ schema }, 'a turn of rules has its answers, events are taken again')
        }
        return result
      } catch (error) {
        if (task.isOver() || !isPassing(error)) throw error
        const reason = error instanceof Error ? error.message : String(error)
        if (round === 0) logger.warn({ schema, reason }, 'a turn of rules has no answers yet, retrying')
        task.troubled(reason)
        await sleep(pauses_ms[round] ?? pauses_ms.at(-1))
        if (task.isOver()) throw error
      }
    }
  }

  /** An event at which rules fail is set aside, and keeps no other from its turn. */
  async function takeOrLeave(
    found: TaskSequencer,
    sequencer: StreamSequencer,
    group: Group,
    placeOf: (events: number) => TurnPlace,
  ): Promise<void> {
    const { head, events, plain, bytes, token } = group
    try {
      await inPlace(() => takeGroup(found, sequencer, group, placeOf(events.length)))
    } catch (error) {
      if (task.isOver()) throw error
      memory.undo()
      if (events.length === 1) return leave(head.stream, events[0], error, token)
      for (const [index, event] of events.entries()) {
        const alone = { head, events: [event], plain: [plain[index]], bytes, token: `${token}.${index}` }
        await takeOrLeave(found, sequencer, alone, () => placeOf(index + 1))
      }
    }
  }

  async function obey(told: Told, behind: TurnPlace): Promise<void> {
    await task.caughtUpHere()
    if (told.kind === 'forget') await forget(told, behind)
    else if (told.kind === 'refill') {
      const starts = refillStarts(schema, told.streams)
      for (const space of memory.spaces(schema)) {
        if (starts.some((start) => space.startsWith(start))) await memory.drop(space)
      }
      current?.seeding.recheck()
    } else {
      const used = new Set(told.spaces)
      for (const space of memory.spaces(schema)) if (!used.has(space)) await memory.drop(space)
    }
  }

  return {
    async take(message, { offset, appended_us }, from) {
      onMessage(appended_us)
      const starts = startsOfLines(message)
      const count = starts.length - 1
      const placeOf = (lines: number): TurnPlace =>
        lines >= count ? { offset: offset + 1, lines: 0 } : { offset, lines }
      const lineAt = (at: number): TurnLine => read(message, starts[at] ?? 0, starts[at + 1] ?? 0)
      const tokenOf = (at: number): string => `${schema} turns ${task.partition} ${offset} ${appended_us} ${at}`

      /** The events from a line on that take their turn together. */
      function groupFrom(first: number, head: TurnHead, sequencer: StreamSequencer): Group {
        const max = sequencer.isOneByOne ? 1 : sequencer.groupOf()
        const [events, plain]: [Event[], (PlainLine | undefined)[]] = [[], []]
        const next = (at: number) => (at === first ? lineAt(at) : quietly(() => lineAt(at)))
        for (let at = first; at < count && events.length < max; at++) {
          const line = next(at)
          if (line?.head !== head || !line.head) break
          const quick = sequencer.plain?.read(message, line.start, line.end)
          const event = quick?.event ?? eventIn(line, at === first)
          if (!event) break
          event._pk = line.pk
          events.push(event)
          plain.push(quick)
        }
        const bytes = (starts[first + events.length] ?? 0) - (starts[first] ?? 0)
        return { head, events, plain, bytes, token: tokenOf(first) }
      }

      /** The event of the first line is there, or it is thrown why not. */
      function eventIn({ start, end }: TurnLine & { readonly head: TurnHead }, first: boolean): Event | undefined {
        const read = (): Event => readEvent(message, start, end)
        return first ? read() : quietly(read)
      }

      /** A line that is none of Weir's. */
      function leaveLine(at: number, error: unknown): Promise<void> {
        const text = message.toString('utf8', starts[at] ?? 0, (starts[at + 1] ?? 1) - 1)
        const why = error instanceof Error ? error.message : String(error)
        const place = `${turnsQueue(schema)}, partition ${task.partition}, offset ${offset}`
        return setAside(queueName(schema, asideWith()), text, new Error(`${place}: ${why}`), tokenOf(at))
      }

      for (let at = from; at < count; ) {
        let line: TurnLine
        try {
          line = lineAt(at)
        } catch (error) {
          await leaveLine(at, error)
          at++
          continue
        }
        if (line.head === undefined) {
          await obey(line.told, placeOf(at + 1))
          at++
          continue
        }
        const { stream, of } = line.head
        const found = await sequencerFor(of, placeOf(at))
        const sequencer = found?.sequencer.of(stream)
        if (!found || !sequencer) {
          logger.warn({ schema, stream }, 'an event of a stream that is not there any more')
          at++
          continue
        }
        let group: Group
        try {
          group = groupFrom(at, line.head, sequencer)
        } catch (error) {
          await leaveLine(at, error)
          at++
          continue
        }
        const first = at
        at += group.events.length
        await takeOrLeave(found, sequencer, group, (events) => placeOf(first + events))
        // Requests have their turn between two groups.
        await setImmediate()
      }
    },
    rest: () => memory.rest(),
    usage: () => memory.usage(schema),
  }
}
