import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '../../../base/faults.ts'
import { writeJson } from '../../../base/json.ts'
import type { Arrivals } from '../../../infra/log/arrivals.ts'
import type { TurnPlace } from '../../../infra/log/port.ts'
import type { RuleTask, TurnTaker } from '../../../infra/log/rule-tasks.ts'
import type { Logger } from '../../../infra/logger.ts'
import type { RuleMemory } from '../../../infra/memory/memory.ts'
import type { Metrics } from '../../../infra/metrics.ts'
import { queueName, turnsQueue } from '../../../sql/schema/names.ts'
import type { TurnGate } from '../host.ts'
import type { Seeding } from '../sequencer/seeding.ts'
import type { Sequencer } from '../sequencer/sequencer.ts'
import { takeQuietly } from '../sequencer/silence.ts'
import { isPassing, RefusedInTurn, type StreamSequencer } from '../sequencer/work.ts'
import { createForgetting, type Routings } from './forgetting.ts'
import { createTurnReader, type Told, type TurnLine } from './turn-lines.ts'
import { createTurnMessage, type TurnGroup, type TurnMessage } from './turn-message.ts'

/** A schema's rules as a version of it has them, over the memory of a task. */
export type TaskSequencer = {
  readonly of: string
  /** Streams that were OFF when the events were sent that take their turn now. */
  readonly off: Set<string>
  readonly sequencer: Sequencer
  readonly seeding: Seeding
  readonly queues: readonly string[]
  /** By stream: how events come to partitions. */
  readonly routings: Routings
}

/** A version of a schema as this process knows it. */
export type TaskVersion = {
  readonly of: string
  readonly open: () => TaskSequencer
  /** Whether an event has waited long enough for another one. */
  readonly isDue: () => boolean
  readonly gate: TurnGate
  /** Streams that are OFF, as this process knows. */
  readonly off: () => readonly string[]
}

export type TurnTakerDeps = {
  readonly task: RuleTask
  readonly memory: RuleMemory
  /** A message has its turn that came to wait at that time. */
  readonly onMessage: (appended_us: number) => void
  /** Everything that came before that moment, by performance.now(), has had its turn. */
  readonly onQuiet: (quiet_ms: number) => void
  /** The version that this process knows, compiled for the task; undefined where it knows none. */
  readonly versionNow: () => TaskVersion | undefined
  /** The stream among whose rejected lines those go that are none of Weir's. */
  readonly asideWith: () => string
  readonly arrivals: Arrivals
  /** Keeps a line that will never be taken, for those who look after the service; nothing changes by a repeat under the same token. */
  readonly reject: (queue: string, line: string, reason: string, token: string) => Promise<void>
  readonly metrics: Pick<Metrics, 'eventsRejected'>
  readonly logger: Logger
}

/** Events of a schema that another process has edited wait until this one has followed. */
const followPause_ms = 20
const followPatience_ms = 20_000
/** Between two attempts at a turn that ClickHouse did not answer. */
const pauses_ms = [100, 500, 1_000, 2_000]
/** Rows of one turn of no event. */
const maxDue = 1_000
/** Questions of a turn that had no answer, or a memory without room: what comes later may have one. */
const mayPass = (error: unknown): boolean => error instanceof Unanswered || isPassing(error)

/** ClickHouse, or another part that a turn asked, failed to answer, which says nothing of the turn's event. */
export class Unanswered extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.name = 'Unanswered'
  }
}

/** Some events of a group; their bytes are about those of all. */
const someOf = ({ head, events, plain, bytes, tokens }: TurnGroup, isOne: (index: number) => boolean): TurnGroup => ({
  ...{ head, bytes },
  events: events.filter((_, index) => isOne(index)),
  plain: plain.filter((_, index) => isOne(index)),
  tokens: tokens.filter((_, index) => isOne(index)),
})

/** Takes the lines of a task's partition in their order, each by the rules of the schema that it was sent to. */
export function createTurnTaker(deps: TurnTakerDeps): TurnTaker {
  const { task, memory, onMessage, onQuiet, versionNow, asideWith, arrivals, reject, metrics, logger } = deps
  const { schema } = task
  let current: TaskSequencer | undefined
  const read = createTurnReader()
  const forgetting = createForgetting(deps)
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
        await forgetting.route(current.routings, at)
        return current
      }
      if (isLate) return undefined
    }
  }

  /**
   * Events that their turn refuses are set aside before what is left of the turn is committed: behind it a process that is
   * killed would never come to them again. While they cannot be set aside, those behind wait.
   */
  async function takeGroup(
    found: TaskSequencer,
    sequencer: StreamSequencer,
    group: TurnGroup,
    at: TurnPlace,
  ): Promise<void> {
    for (let left = group; left.events.length > 0; ) {
      try {
        return await commitGroup(found, sequencer, left, at)
      } catch (error) {
        if (!(error instanceof RefusedInTurn)) throw error
        for (const [index, reason] of error.refused) await leave(left, index, reason)
        left = someOf(left, (index) => !error.refused.has(index))
      }
    }
  }

  /** Resolves once the next turn can be taken, which need not wait for the commit of this one. */
  async function commitGroup(found: TaskSequencer, { take }: StreamSequencer, group: TurnGroup, at: TurnPlace) {
    const { events, plain, bytes } = group
    const { off } = group.head
    await setOff(found, off === '' ? [] : off.split(','))
    const coming = found.queues.map((queue) => arrivals.begin(queue))
    const taken = take({
      events,
      plain,
      bytes,
      stamp: (event) => ({ pk: String(event._pk), seq: task.clock.next() }),
      place: at,
      isWhole: true,
    })
    const end = (): void => {
      for (const arrival of coming) arrival.end()
    }
    taken.then(end, end)
    await Promise.race([taken, task.reached(at)])
  }

  /** The event has been acknowledged, so that its client cannot be told. */
  const leave = ({ head, events, tokens }: TurnGroup, index: number, error: unknown): Promise<void> => {
    const event = events[index]
    return setAside(queueName(schema, head.stream), writeJson(event ?? {}), error, tokens[index] ?? '', event?._pk)
  }

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
        if (task.isOver() || !mayPass(error)) throw error
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
    group: TurnGroup,
    placeOf: (events: number) => TurnPlace,
  ): Promise<void> {
    const { length } = group.events
    try {
      await inPlace(() => takeGroup(found, sequencer, group, placeOf(length)))
    } catch (error) {
      if (task.isOver()) throw error
      memory.undo()
      if (length === 1) return leave(group, 0, error)
      for (let at = 0; at < length; at++) {
        const alone = someOf(group, (index) => index === at)
        await takeOrLeave(found, sequencer, alone, () => placeOf(at + 1))
      }
    }
  }

  /** A line that is none of Weir's. */
  function leaveLine(lines: TurnMessage, at: number, error: unknown): Promise<void> {
    const why = error instanceof Error ? error.message : String(error)
    const place = `${turnsQueue(schema)}, partition ${task.partition}, offset ${lines.offset}`
    const reason = new Error(`${place}: ${why}`)
    return setAside(queueName(schema, asideWith()), lines.textOf(at), reason, lines.tokenOf(at))
  }

  /** Streams whose events would come now are ON as this process knows, since no event says so. */
  async function setOff({ off }: TaskSequencer, names: readonly string[]): Promise<void> {
    if ([...off].join() === names.join()) return
    await task.caughtUpHere()
    off.clear()
    for (const name of names) off.add(name)
  }

  async function endWaits(place: TurnPlace, quiet_ms: number | undefined): Promise<boolean> {
    if (quiet_ms !== undefined) onQuiet(quiet_ms)
    const version = versionNow()
    if (!version?.isDue() || version.gate.isShut()) return false
    // Events that were sent by the version before may wait as long as any come.
    if (current?.of !== version.of && quiet_ms === undefined) return false
    const found = await sequencerFor(version.of, place)
    const takeDue = found?.sequencer.takeDue
    if (!takeDue) return false
    await setOff(found, version.off())
    const turn = { takeDue, gate: version.gate, arrivals, queues: found.queues }
    const count = await inPlace(() => takeQuietly(turn, maxDue, place))
    return count === maxDue
  }

  async function obey(told: Told, behind: TurnPlace): Promise<void> {
    await task.caughtUpHere()
    await forgetting.obey(told, behind)
    if (told.kind === 'refill') current?.seeding.recheck()
  }

  /** Takes what stands in a line, an event with those behind it that take their turn with it; resolves to the number of the next line. */
  async function takeFrom(at: number, lines: TurnMessage): Promise<number> {
    let line: TurnLine
    try {
      line = lines.lineAt(at)
    } catch (error) {
      await leaveLine(lines, at, error)
      return at + 1
    }
    if (line.head === undefined) {
      await obey(line.told, lines.placeOf(at + 1))
      return at + 1
    }
    const { stream, of } = line.head
    const found = await sequencerFor(of, lines.placeOf(at))
    const sequencer = found?.sequencer.of(stream)
    if (!found || !sequencer) {
      logger.warn({ schema, stream }, 'an event of a stream that is not there any more')
      return at + 1
    }
    let group: TurnGroup
    try {
      group = lines.groupFrom(at, line.head, sequencer)
    } catch (error) {
      await leaveLine(lines, at, error)
      return at + 1
    }
    await takeOrLeave(found, sequencer, group, (events) => lines.placeOf(at + events))
    // Requests have their turn between two groups.
    await setImmediate()
    return at + group.events.length
  }

  return {
    async take(message, place, from) {
      onMessage(place.appended_us)
      const lines = createTurnMessage({ schema, partition: task.partition, message, place, read })
      for (let at = from; at < lines.count; ) at = await takeFrom(at, lines)
    },
    endWaits,
    rest: () => memory.rest(),
    usage: () => memory.usage(schema),
  }
}
