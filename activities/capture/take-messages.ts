import type { LineErrors } from '../../base/each-line.ts'
import { type Fault, fault } from '../../base/faults.ts'
import { type Json, writeJson } from '../../base/json.ts'
import { Refusal } from '../../base/refusal.ts'
import { queueName } from '../../sql/schema/names.ts'
import { answerOfItems, linesOfItems } from '../ingest/items.ts'
import { createRefusals } from '../ingest/refusals.ts'
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

/** Takes the messages of a vendor's client as events of a stream. Resolves once the good ones are on the disk. */
export function createTakeMessages(deps: TakeMessagesDeps) {
  const { registry, accept, bodyLimit } = deps
  return async ({ into: { schema, stream }, items, read, isOfPage }: Messages): Promise<TakenMessages> => {
    const { attributes } = registry.stream(schema, stream).stream
    const refusals = createRefusals(deps, queueName(schema, stream), registry.schema(schema).gate)
    let size = 0
    const messages = await linesOfItems(items, {
      lineOf(item) {
        const text = `${writeJson(eventOf(read(item), attributes))}\n`
        size += text.length
        if (size > bodyLimit) throw tooLarge()
        return text
      },
      refuse: refusals.add,
    })
    const { lines: body, numberOf } = messages
    const taken: TakenMessages = JSON.parse(await accept(schema, stream, { body, isBatch: true, isOfPage, numberOf }))
    refusals.settle()
    const { accepted, repeated, rejected, errors } = answerOfItems(taken, messages)
    // The client shows its user a refusal, and nothing of a success.
    if (accepted === 0 && rejected > 0) throw new Refusal(errors.map(({ error }) => error))
    return { accepted, ...(repeated !== undefined && { repeated }), rejected, errors }
  }
}

const tooLarge = (): Fault =>
  fault('too large', 'the events of the request are larger than MAX_BODY_MB together; send it in parts', {
    limit: 'MAX_BODY_MB',
  })

export type TakeMessages = ReturnType<typeof createTakeMessages>
