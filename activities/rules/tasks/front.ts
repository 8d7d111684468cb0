import type { Event } from '../../../base/json.ts'
import type { RuleTasks } from '../../../infra/log/rule-tasks.ts'
import type { Schema } from '../../../sql/schema/schema.ts'
import { LineBuffer } from '../../events/plain/line-buffer.ts'
import type { PlainLine } from '../../events/plain/plain-lines.ts'
import type { StreamPath } from '../sequencer/stream-path.ts'
import {
  numberOf,
  type Outcome,
  outcomeOf,
  type Placed,
  type SequencedWork,
  type StreamSequencer,
} from '../sequencer/work.ts'
import { compilePartitionKeys } from './partition-keys.ts'
import { eventLine, headText, writeEventLine } from './turn-lines.ts'

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
const maxGroup = 1_000
/** A line has a head before its event. */
const lineGrowth = 2

/**
 * The way of events to the tasks of their schema: what is wrong with an event is told to its client here, then it waits for
 * its turn in a partition.
 */
export function createFront({ schema, of, paths, tasks }: FrontDeps) {
  const keyOf = compilePartitionKeys(schema)
  const readsTables = schema.streams.some(({ references }) => references.some(({ source }) => source.kind === 'table'))
  /** Streams whose attributes all follow from the event alone: they are checked here. */
  const alone = new Set(schema.streams.filter(({ references }) => references.length === 0).map(({ name }) => name))

  function check(stream: string, path: StreamPath, sent: Event, { pk, seq }: Placed): Event {
    const event = { ...sent, _pk: numberOf(pk) }
    path.before?.(event)
    if (path.after?.kind === 'each' && alone.has(stream)) path.after.compute(event)
    path.encode(event, pk, seq)
    return event
  }

  async function take<Stamped extends Placed>(
    stream: string,
    path: StreamPath,
    work: SequencedWork<Stamped>,
  ): Promise<readonly Outcome<Stamped>[]> {
    const keys: string[] = []
    const head = headText({ stream, of, off: [...paths].flatMap(([name, { isOn }]) => (isOn() ? [] : [name])).join() })
    const headBytes = Buffer.from(head)
    const lines = new LineBuffer(lineGrowth * work.bytes)

    function write(sent: Event, line: PlainLine | undefined, placed: Placed): void {
      const { pk, seq } = placed
      if (line === undefined) {
        const event = check(stream, path, sent, placed)
        lines.text(eventLine(head, sent, pk, seq))
        keys.push(keyOf(stream, event, seq))
        return
      }
      line.event._pk = numberOf(pk)
      // Its members fit, as it was read the quick way.
      const event = path.isAsSent ? line.event : check(stream, path, line.event, placed)
      writeEventLine(lines, headBytes, line, pk, seq)
      keys.push(keyOf(stream, event, seq))
    }

    const outcomes = work.events.map((sent, index) =>
      outcomeOf(() => {
        const line = work.plain?.[index]
        const stamped = work.stamp(line ? sent : { ...sent })
        write(sent, line, stamped)
        return stamped
      }),
    )
    if (keys.length === 0) return outcomes
    const answers = (work.answers?.(outcomes) ?? []).map((each) => ({ ...each, key: nameOf(stream, each.key) }))
    await tasks.append(schema.name, lines.taken(), keys.length, answers, keys)
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
          ...(path.sent && { plain: path.sent }),
          answered: (key) => tasks.answered(schema.name, nameOf(stream, key)),
        }
      )
    },
  }
}

/** Keys of all streams of a schema are kept together. No stream's name has a blank. */
const nameOf = (stream: string, key: string): string => `${stream} ${key}`
