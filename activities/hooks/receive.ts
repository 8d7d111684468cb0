import type { LineErrors } from '../../base/each-line.ts'
import { Fault, fault } from '../../base/faults.ts'
import { Refusal } from '../../base/refusal.ts'
import type { Metrics } from '../../infra/metrics.ts'
import { queueName } from '../../sql/schema/names.ts'
import { type Accept, ingestOf } from '../ingest/accept.ts'
import { answerOfItems, type ItemLines, linesOfItems } from '../ingest/items.ts'
import { createRefusals, type RefusalsDeps } from '../ingest/refusals.ts'
import type { Registry } from '../registry/registry.ts'
import type { Deliveries, Delivery } from './deliveries.ts'
import type { NamedHook } from './hooks.ts'
import { challengeIn, createLineOf, itemsOf, payloadOf } from './payload.ts'
import { claimIn, type Headers, isGenuine, type Mismatch } from './verify.ts'

export type ReceiveDeps = RefusalsDeps & {
  readonly registry: Registry
  readonly accept: Accept
  readonly deliveries: Pick<Deliveries, 'add'>
  readonly metrics: Pick<Metrics, 'hookDeliveries'>
  /** Of the events of a delivery together, in bytes. */
  readonly limit: number
  readonly now_ms?: () => number
}

/** The answer to a batch of events. */
type Taken = LineErrors & { readonly errcode: number; readonly accepted: number; readonly repeated?: number }

const allRefused = ({ errors }: LineErrors, isList: boolean): Refusal =>
  new Refusal(errors.map(({ line, error }) => (isList ? `line ${line}: ${error}` : error)))

/** Faults whose messages hold nothing of the delivery. */
const plainKinds: readonly string[] = ['off', 'missing', 'too large', 'unavailable', 'limited', 'late', 'conflict']

/** Takes deliveries of signed webhooks: first their headers, then their body. Resolves to the answer once they are safe. */
export function createReceive(deps: ReceiveDeps) {
  const { registry, accept, deliveries, metrics, limit, now_ms = Date.now } = deps

  function note(hook: string, delivery: Omit<Delivery, 'ts'>): void {
    deliveries.add(hook, delivery)
    metrics.hookDeliveries.inc({ hook, verdict: delivery.verdict })
  }

  function deny(hook: string, verdict: Mismatch, why: string): Fault {
    note(hook, { verdict, error: why })
    return fault('denied', why, { headers: { 'WWW-Authenticate': 'Signature' } })
  }

  async function take({ name, hook }: NamedHook, headers: Headers, body: Buffer, id: string | undefined) {
    const { schema, stream } = hook.into
    const target = registry.stream(schema, stream)
    ingestOf(target)
    const refusals = createRefusals(deps, queueName(schema, stream), registry.schema(schema).gate)
    let isList = false
    let items: ItemLines
    try {
      const payload = payloadOf(body, String(headers['content-type'] ?? ''))
      const challenge = hook.verify.scheme === 'slack' ? challengeIn(payload) : undefined
      if (challenge !== undefined) return { challenge }
      isList = Array.isArray(payload)
      items = await linesOfItems(itemsOf(payload), {
        lineOf: createLineOf({ name, hook, headers, payload, body, limit, ...(id !== undefined && { id }) }),
        refuse(reason, text, line) {
          if (!isList) throw new Refusal(reason)
          refusals.add(reason, text, line)
        },
      })
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      refusals.add(why, body, { start: 0, end: body.length })
      refusals.settle()
      throw error
    }
    const { lines, numberOf, errors } = items
    if (lines.length === 0 && errors.rejected > 0) {
      refusals.settle()
      throw allRefused(errors, isList)
    }
    const answer: Taken = JSON.parse(await accept(schema, stream, { body: lines, isBatch: true, numberOf }))
    refusals.settle()
    const taken = answerOfItems(answer, items)
    // The sender shows its user a refusal, and no answer to a success.
    if (taken.rejected > 0 && taken.accepted === 0) throw allRefused(taken, isList)
    return { taken }
  }

  const pointer = ({ into }: NamedHook['hook']): string =>
    `the stream refused it: GET /stream/${into.schema}/${into.stream}/refused has the reason`

  /** Throws a fault `denied` where the headers are not the sender's; the result takes the body. */
  return (named: NamedHook, headers: Headers) => {
    const { name, hook, secrets } = named
    const claim = claimIn(hook.verify, headers, now_ms() / 1000)
    if ('mismatch' in claim) throw deny(name, claim.mismatch, claim.why)
    return async (body: Buffer): Promise<Taken | { readonly challenge: string }> => {
      if (!(await isGenuine(hook.verify, secrets, claim, body)))
        throw deny(
          name,
          'wrong_signature',
          'no secret of the hook gives the signature of this body; compare the secrets',
        )
      const bytes = body.length
      try {
        const taken = await take(named, headers, body, claim.id)
        if ('challenge' in taken) {
          note(name, { verdict: 'challenge', bytes })
          return { challenge: taken.challenge }
        }
        const { accepted, rejected, repeated = 0 } = taken.taken
        const verdict = accepted > 0 && repeated === accepted ? 'repeated' : 'accepted'
        note(name, { verdict, bytes, accepted, rejected, repeated, ...(rejected > 0 && { error: pointer(hook) }) })
        return taken.taken
      } catch (error) {
        const kind = error instanceof Refusal ? 'invalid' : error instanceof Fault ? error.kind : 'unavailable'
        const isOurs = kind === 'unavailable' || kind === 'limited' || kind === 'late'
        const says = error instanceof Fault && plainKinds.includes(kind) ? error.message : pointer(hook)
        note(name, { verdict: isOurs ? 'failed' : 'refused', bytes, error: says })
        throw error
      }
    }
  }
}

export type Receive = ReturnType<typeof createReceive>
