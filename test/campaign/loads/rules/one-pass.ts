import type { Event, Json } from '../../../../base/json.ts'
import type { Schema } from '../../../../sql/schema/schema.ts'
import { createOracle, type Result, type Sent } from '../../../activities/rules/oracle.ts'

/** The rows and matches of one pass over the events in the order of the log, by stream and by notification. */
export function onePass(schema: Schema, sent: readonly Sent[]): ReadonlyMap<string | number, readonly Event[]> {
  const oracle = createOracle(schema)
  const found = new Map<string | number, Event[]>()
  const note = ({ to, event }: Result): void => void found.set(to, [...(found.get(to) ?? []), event])
  for (const first of sent) {
    const taken: Sent[] = [first]
    for (const each of taken) {
      for (const result of oracle.step(each)) {
        note(result)
        if (typeof result.to === 'string') taken.push({ stream: result.to, event: result.event, pk: result.pk, seq: 0 })
      }
    }
  }
  return found
}

/** The members that the references of an event bring, by the events before it in the log. */
export function createReferred() {
  const before = new Map<Json | undefined, Json | undefined>()
  const last = new Map<Json | undefined, Json | undefined>()
  const totals = new Map<Json | undefined, { seen: number; sum: number }>()
  return ({ stream, event: { id, k, c, v } }: Sent): Readonly<Record<string, Json | undefined>> => {
    if (stream === 'b') return { last: last.get(c) }
    const total = totals.get(k)
    const referred = { before: before.get(k), seen: total?.seen, sum: total?.sum }
    before.set(k, id)
    last.set(c, id)
    totals.set(k, { seen: (total?.seen ?? 0) + 1, sum: (total?.sum ?? 0) + Number(v) })
    return referred
  }
}
