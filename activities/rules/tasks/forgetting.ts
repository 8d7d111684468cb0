import type { TurnPlace } from '../../../infra/log/port.ts'
import type { RuleTask } from '../../../infra/log/rule-tasks.ts'
import type { Logger } from '../../../infra/logger.ts'
import type { RuleMemory } from '../../../infra/memory/memory.ts'
import { spacesOf } from '../../../infra/memory/spaces.ts'
import type { RuleState } from '../../../infra/memory/state.ts'
import { refillStarts } from '../references/seed.ts'
import { storedPlace } from '../rule-event.ts'
import { movedBetween } from './partition-keys.ts'
import type { Told } from './turn-lines.ts'

/** By stream: how events come to partitions. */
export type Routings = Readonly<Record<string, string>>

export type ForgettingDeps = {
  readonly task: Pick<RuleTask, 'schema' | 'partitions' | 'log' | 'clock'>
  readonly memory: RuleMemory
  readonly logger: Pick<Logger, 'warn'>
}

/** Says by which attributes the events have come to their partitions. */
export const routingSpace = (schema: string): string => `${schema}.weir__turns/routing`

/** Has the places of erased events of which the last line has not come yet. */
export const erasedSpace = (schema: string): string => `${schema}.weir__turns/erased`

/** Another form was kept, of keys that were made in another way. */
function readRoutings(text: string, now: Routings): Routings {
  const read = JSON.parse(text)
  return Array.isArray(read) ? Object.fromEntries(Object.keys(now).map((name) => [name, ''])) : read
}

/** Makes the memory of a task forget: by a line that tells it to, or since events come to other partitions. */
export function createForgetting({ task, memory, logger }: ForgettingDeps) {
  const { schema } = task

  /** Forgets the events of a stream that now go to other partitions: the tasks of those partitions remember them. */
  async function route(routings: Routings, at: TurnPlace): Promise<void> {
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

  /** Forgets what a line among the events says. */
  async function obey(told: Told, behind: TurnPlace): Promise<void> {
    if (told.kind === 'forget') return forget(told, behind)
    if (told.kind === 'refill') {
      const starts = refillStarts(schema, told.streams)
      return dropWhere((space) => starts.some((start) => space.startsWith(start)))
    }
    const used = new Set(told.spaces)
    return dropWhere((space) => !used.has(space))
  }

  async function dropWhere(isDropped: (space: string) => boolean): Promise<void> {
    for (const space of memory.spaces(schema)) if (isDropped(space)) await memory.drop(space)
  }

  return { route, obey }
}
