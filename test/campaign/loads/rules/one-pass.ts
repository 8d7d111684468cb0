import type { Event, Json } from '../../../../base/json.ts'
import type { Schema } from '../../../../sql/schema/schema.ts'
import { createOracle, type Result, type Sent } from '../../../activities/rules/oracle.ts'
import { hop_us, window_us } from './schema.ts'

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

const sumOf = (events: readonly { readonly v: number }[] | undefined): number | undefined =>
  events?.reduce((sum, { v }) => sum + v, 0)

/** The members that the references of an event bring, by the events before it in the log. */
export function createReferred() {
  const before = new Map<Json | undefined, Json | undefined>()
  const last = new Map<Json | undefined, Json | undefined>()
  const ofKey = new Map<Json | undefined, { readonly hop: number; readonly v: number }[]>()
  return ({ stream, pk, event: { id, k, c, v } }: Sent): Readonly<Record<string, Json | undefined>> => {
    if (stream === 'b') return { last: last.get(c) }
    const known = ofKey.get(k)
    const [first, latest] = [Math.floor((pk - window_us + 1) / hop_us), Math.floor(pk / hop_us)]
    const inWindow = known?.filter(({ hop }) => hop >= first && hop <= latest)
    const referred = {
      before: before.get(k),
      seen: known?.length,
      sum: sumOf(known),
      seen_1d: inWindow?.length,
      sum_1d: sumOf(inWindow),
    }
    before.set(k, id)
    last.set(c, id)
    ofKey.set(k, [...(known ?? []), { hop: latest, v: Number(v) }])
    return referred
  }
}
