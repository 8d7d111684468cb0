import { setImmediate as nextTurn } from 'node:timers/promises'
import { createLineErrors, type LineErrors, reasonOf } from '../../base/each-line.ts'
import { type Fault, fault } from '../../base/faults.ts'
import { type Json, writeJson } from '../../base/json.ts'
import { Refusal } from '../../base/refusal.ts'
import { queueName } from '../../sql/schema/names.ts'
import { eventOf, type Message } from './message.ts'
import type { StreamName } from './write-key.ts'
import type { WriteLinesDeps } from './write-lines.ts'

export type TakeMessagesDeps = WriteLinesDeps & {
  /** Of the events of a request together, in bytes. */
  readonly bodyLimit: number
}

export type Messages = {
  readonly into: StreamName
  readonly items: readonly Json[]
  /** The message of an item; a Refusal costs that item alone. */
  readonly read: (item: Json) => Message
  readonly isOfPage: boolean
}

export type TakenMessages = LineErrors & { readonly accepted: number; readonly repeated?: number }

/** Items between two looks at the clock, and how long they are read before other requests have their turn. */
const itemsAtOnce = 16
const turn_ms = 5

/** Takes the messages of a vendor's client as events of a stream. Resolves once the good ones are on the disk. */
export function createTakeMessages({ registry, accept, refusedEvents, metrics, bodyLimit }: TakeMessagesDeps) {
  return async ({ into: { schema, stream }, items, read, isOfPage }: Messages): Promise<TakenMessages> => {
    const queue = queueName(schema, stream)
    const { attributes } = registry.stream(schema, stream).stream
    const { gate } = registry.schema(schema)
    const errors = createLineErrors()
    const [texts, places]: [string[], number[]] = [[], []]
    let size = 0
    let began = performance.now()
    for (const [index, item] of items.entries()) {
      try {
        const text = `${writeJson(eventOf(read(item), attributes))}\n`
        size += text.length
        if (size > bodyLimit) throw tooLarge()
        texts.push(text)
        places.push(index + 1)
      } catch (error) {
        errors.add({ number: index + 1, start: 0, end: 0 }, error)
        const text = Buffer.from(writeJson(item).slice(0, 4096))
        refusedEvents.add(queue, gate, reasonOf(error), text, { number: index + 1, start: 0, end: text.length })
        metrics.eventsRefused.inc({ stream: queue })
      }
      if (index % itemsAtOnce === 0 && performance.now() - began > turn_ms) {
        await nextTurn()
        began = performance.now()
      }
    }
    const answer = await accept(schema, stream, { body: Buffer.from(texts.join('')), isBatch: true, isOfPage })
    const { accepted, repeated, rejected, errors: few }: TakenMessages = JSON.parse(answer)
    const listed = errors.counted()
    const all = {
      accepted,
      ...(repeated !== undefined && { repeated }),
      rejected: rejected + listed.rejected,
      errors: [...listed.errors, ...few.map(({ line, error }) => ({ line: places[line - 1] ?? line, error }))]
        .toSorted((one, other) => one.line - other.line)
        .slice(0, 100),
    }
    // The client shows its user a refusal, and nothing of a success.
    if (all.accepted === 0 && all.rejected > 0) throw new Refusal(all.errors.map(({ error }) => error))
    return all
  }
}

const tooLarge = (): Fault =>
  fault('too large', 'the events of the request are larger than MAX_BODY_MB together; send it in parts', {
    limit: 'MAX_BODY_MB',
  })

export type TakeMessages = ReturnType<typeof createTakeMessages>
