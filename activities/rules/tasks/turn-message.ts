import type { Event } from '../../../base/json.ts'
import type { TurnPlace } from '../../../infra/log/port.ts'
import type { TakenMessage } from '../../../infra/log/rule-tasks.ts'
import type { PlainLine } from '../../events/plain/plain-lines.ts'
import type { StreamSequencer } from '../sequencer/work.ts'
import { type createTurnReader, readEvent, startsOfLines, type TurnHead, type TurnLine } from './turn-lines.ts'

/** Events of a stream that take their turn together. */
export type TurnGroup = {
  readonly head: TurnHead
  readonly events: Event[]
  readonly plain: (PlainLine | undefined)[]
  readonly bytes: number
  /** The token of each event's line, which is the same however lines come together. */
  readonly tokens: readonly string[]
}

export type TurnMessageOf = {
  readonly schema: string
  readonly partition: number
  readonly message: Buffer
  readonly place: TakenMessage
  readonly read: ReturnType<typeof createTurnReader>
}

/** The lines of a message, by their number from 0: what each is, and which of them take their turn together. */
export function createTurnMessage({ schema, partition, message, place: { offset, appended_us }, read }: TurnMessageOf) {
  const starts = startsOfLines(message)
  const count = starts.length - 1
  /** The place behind the first `lines` lines. */
  const placeOf = (lines: number): TurnPlace => (lines >= count ? { offset: offset + 1, lines: 0 } : { offset, lines })
  const lineAt = (at: number): TurnLine => read(message, starts[at] ?? 0, starts[at + 1] ?? 0)
  const tokenOf = (at: number): string => `${schema} turns ${partition} ${offset} ${appended_us} ${at}`

  /** The events from a line on that take their turn together. */
  function groupFrom(first: number, head: TurnHead, sequencer: StreamSequencer): TurnGroup {
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
    return { head, events, plain, bytes, tokens: events.map((_, index) => tokenOf(first + index)) }
  }

  /** The event of the first line is there, or it is thrown why not. */
  function eventIn({ start, end }: TurnLine & { readonly head: TurnHead }, first: boolean): Event | undefined {
    const read = (): Event => readEvent(message, start, end)
    return first ? read() : quietly(read)
  }

  const textOf = (at: number): string => message.toString('utf8', starts[at] ?? 0, (starts[at + 1] ?? 1) - 1)

  return { offset, count, placeOf, lineAt, tokenOf, groupFrom, textOf }
}

export type TurnMessage = ReturnType<typeof createTurnMessage>

function quietly<Value>(work: () => Value): Value | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
