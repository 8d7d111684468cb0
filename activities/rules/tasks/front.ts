import type { Event } from '../../../base/json.ts'
import type { RuleTasks } from '../../../infra/log/rule-tasks.ts'
import type { Schema } from '../../../sql/schema/schema.ts'
import {
  numberOf,
  type Outcome,
  outcomeOf,
  type Placed,
  type SequencedWork,
  type StreamSequencer,
} from '../sequencer/sequencer.ts'
import type { StreamPath } from '../sequencer/stream-path.ts'
import { compilePartitionKeys } from './partition-keys.ts'
import { eventLine } from './turn-lines.ts'

export type FrontDeps = {
  readonly schema: Schema
  /** The version of the schema, as the tasks know it by. */
  readonly of: string
  readonly paths: ReadonlyMap<string, StreamPath>
  readonly tasks: Pick<RuleTasks, 'append' | 'answered' | 'taken'>
}

/** A task that stands still holds up no answer for longer. */
const patience_ms = 2_000
/** Events that are checked in one turn of the event loop. */
const maxGroup = 500

/**
 * The way of events to the tasks of their schema: what is wrong with an event is told to its client here, then it waits for
 * its turn in a partition.
 */
export function createFront({ schema, of, paths, tasks }: FrontDeps) {
  const keyOf = compilePartitionKeys(schema)
  const readsTables = schema.streams.some(({ references }) => references.some(({ source }) => source.kind === 'table'))
  /** Streams whose attributes all follow from the event alone: they are checked here. */
  const alone = new Set(schema.streams.filter(({ references }) => references.length === 0).map(({ name }) => name))

  function check(stream: string, path: StreamPath, event: Event, { pk, seq }: Placed): void {
    event._pk = numberOf(pk)
    path.before?.(event)
    if (path.after?.kind === 'each' && alone.has(stream)) path.after.compute(event)
    path.encode(event, pk, seq)
  }

  async function take<Stamped extends Placed>(
    stream: string,
    path: StreamPath,
    work: SequencedWork<Stamped>,
  ): Promise<readonly Outcome<Stamped>[]> {
    const keys: string[] = []
    const off = [...paths].flatMap(([name, { isOn }]) => (isOn() ? [] : [name])).join()
    let text = ''
    const outcomes = work.events.map((sent) =>
      outcomeOf(() => {
        const event = { ...sent }
        const stamped = work.stamp(event)
        check(stream, path, event, stamped)
        text += eventLine(stream, { of, off }, sent, stamped.pk, stamped.seq)
        keys.push(keyOf(stream, event, stamped.seq))
        return stamped
      }),
    )
    if (keys.length === 0) return outcomes
    const answers = (work.answers?.(outcomes) ?? []).map((each) => ({ ...each, key: nameOf(stream, each.key) }))
    await tasks.append(schema.name, Buffer.from(text), keys.length, answers, keys)
    // A record that its client changes after the answer is read as it was before.
    if (readsTables) await tasks.taken(schema.name, patience_ms)
    return outcomes
  }

  return {
    of(stream: string): StreamSequencer | undefined {
      const path = paths.get(stream)
      return (
        path && {
          take: (work) => take(stream, path, work),
          isOneByOne: false,
          groupOf: () => maxGroup,
          answered: (key) => tasks.answered(schema.name, nameOf(stream, key)),
        }
      )
    },
  }
}

/** Keys of all streams of a schema are kept together. No stream's name has a blank. */
const nameOf = (stream: string, key: string): string => `${stream} ${key}`
