import type { Event } from '../../base/json.ts'
import type { KeyedAnswer } from '../../infra/log/port.ts'
import type { PlainLine } from '../events/plain/plain-lines.ts'
import { createGathering } from '../rules/sequencer/gathering.ts'
import type { StreamSequencer, TakeTurn } from '../rules/sequencer/work.ts'
import { answerTo, answerWithHash, type Idempotency, type NamedKey } from './idempotency.ts'
import type { Stamped } from './part.ts'

export type OneEventDeps = {
  readonly take: TakeTurn
  /** Absent where the stream has no rules. */
  readonly sequencer: StreamSequencer | undefined
  readonly idempotency: Idempotency
  readonly stamp: (event: Event, isOfPage: boolean) => Stamped
}

/** The event of a request with one event; `bytes` is the length of its text. */
export type OneEvent = { readonly event: Event; readonly plain?: PlainLine; readonly bytes: number }

/** Brings one event to the log, by a turn. */
export function createOneEvent({ take, sequencer, idempotency, stamp }: OneEventDeps) {
  const gathering = sequencer?.isGathered ? createGathering(sequencer, (event) => stamp(event, false)) : undefined

  async function takeTurn(
    { event, plain, bytes }: OneEvent,
    isOfPage: boolean,
    answers?: (stamped: Stamped) => readonly KeyedAnswer[],
  ): Promise<string> {
    const [outcome] = await take<Stamped>({
      events: [event],
      ...(plain && { plain: [plain] }),
      bytes,
      stamp: (each) => stamp(each, isOfPage),
      ...(answers && { answers: ([outcome]) => (outcome?.stamped ? answers(outcome.stamped) : []) }),
    })
    if (outcome?.stamped === undefined) throw outcome?.error
    return outcome.stamped.answer
  }

  /** `names` are the idempotency keys of the event: where one was answered before, the event gets that answer again. */
  return async (one: OneEvent, names: readonly NamedKey[], isOfPage: boolean): Promise<string> => {
    if (names.length === 0) {
      const isAlone = gathering === undefined || isOfPage
      return isAlone ? takeTurn(one, isOfPage) : (await gathering(one.event, one.plain, one.bytes)).answer
    }
    for (const { name, hash } of names) {
      const first = idempotency.first(name)
      if (first !== undefined) return answerTo(await first, hash)
    }
    const claim = idempotency.claim()
    for (const { name } of names) claim.add(name, '', 0)
    let answer = ''
    await claim.settle(async () => {
      answer = await takeTurn(one, isOfPage, (stamped) => {
        for (const { name, hash } of names) claim.add(name, answerWithHash(stamped.answer, hash), stamped.seq)
        return claim.answers()
      })
    })
    return answer
  }
}
