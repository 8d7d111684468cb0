/** Folds against a loop over all events, and what a fold finds in the tables. */
import { deepStrictEqual } from 'node:assert/strict'
import test from 'ava'
import { compileComputed } from '../../../../activities/events/computed/compile.ts'
import { compileReferences } from '../../../../activities/rules/references/compile.ts'
import { createOutside } from '../../../../activities/rules/references/outside.ts'
import type { Event, Json } from '../../../../base/json.ts'
import { decodeSchema } from '../../../../sql/schema/decode.ts'
import { createPlainState } from '../../../support/plain-state.ts'
import { randomFor, runs } from '../../../support/random/seed.ts'

const never = () => Promise.reject(new Error('nothing is asked'))
const outside = createOutside({ clickhouse: { rows: never }, caughtUp: never, tableOf: () => undefined })
const fold = (name: string, type: string, expression: string, start: Json, key?: string[]) => ({
  ...{ name, type, opnm: 'FOLD', iatr: [expression], start },
  ...(key && { key }),
})

function stored(catr: readonly object[], events: readonly { readonly event: Event; readonly at: number }[], swsz = 0) {
  const schema = decodeSchema({
    schema: 's',
    streams: [
      { name: 'a', type: 1, swsz, attr: [{ name: 'k', type: 5 }, { name: 'l', type: 9 }, { name: 'v', type: 11 }], catr }, // biome-ignore format: one line
    ],
  })
  const [stream] = schema.streams
  if (stream === undefined) throw new Error('no stream')
  const references = compileReferences(schema)
  const computed = compileComputed(stream.computed, stream, async () => [])
  const memory = createPlainState()
  return events.map(({ event: sent, at }) => {
    const event: Event = { ...sent, _pk: at }
    const one = { event, pk: String(at), seq: at }
    memory.at(at)
    references.resolve('a', one, memory.state, outside)
    if (computed.kind === 'each') computed.compute(event)
    references.observe('a', one, memory.state, outside)
    return event
  })
}

test('a fold is what a loop over the events of each key carries on', (t) => {
  const random = randomFor(t)
  const catr = [
    { name: 'half', type: 'DOUBLE', opnm: 'MATH_EXP', iatr: ['$v / 2'] },
    fold('sum', 'DOUBLE', '$sum + $half', 10, ['k']),
    fold('n', 'LONG', '$n + 1', 0, ['k', 'l']),
    fold('latest', 'DOUBLE', '$v', -1, ['k']),
    fold('all', 'LONG', '$all + 1', 0),
    { name: 'twice', type: 'DOUBLE', opnm: 'MATH_EXP', iatr: ['$sum * 2'] },
  ]
  for (let round = 0; round < runs(50, 1000); round++) {
    const events = Array.from({ length: 80 }, (_, at) => ({
      at: at + 1,
      event: {
        ...(random.chance(0.9) && { k: random.pick(['a', 'b', 'c']) }),
        ...(random.chance(0.8) && { l: random.whole(1, 2) }),
        ...(random.chance(0.7) && { v: random.whole(-9, 9) }),
        // A value that a client sends under the name of a fold does not count.
        ...(random.chance(0.2) && { sum: 1_000, all: 5 }),
      } as Event,
    }))
    const sums = new Map<Json, number>()
    const counts = new Map<string, number>()
    const latest = new Map<Json, number>()
    const wanted = events.map(({ at, event: { k, l, v } }) => {
      const sum = k === undefined ? undefined : (sums.get(k) ?? 10) + (v === undefined ? 0 : Number(v) / 2)
      if (k !== undefined && sum !== undefined) sums.set(k, sum)
      if (k !== undefined) latest.set(k, v === undefined ? (latest.get(k) ?? -1) : Number(v))
      const key = `${k} ${l}`
      const n = k === undefined || l === undefined ? undefined : (counts.get(key) ?? 0) + 1
      if (n !== undefined) counts.set(key, n)
      return [sum, n, k === undefined ? undefined : latest.get(k), at, sum === undefined ? undefined : sum * 2]
    })
    deepStrictEqual(
      stored(catr, events).map((event) => [event.sum, event.n, event.latest, event.all, event.twice]),
      wanted,
    )
  }
  t.pass()
})

test('a fold begins anew where its stream has kept no event of the key for twice its time', (t) => {
  const hour = 3_600_000_000
  const come = (at: number) => ({ at, event: { k: 'a', v: 1 } })
  const [, near, far] = stored([fold('sum', 'DOUBLE', '$sum + $v', 0, ['k'])], [come(hour), come(2 * hour), come(20 * hour)], 3600) // biome-ignore format: one line
  t.is(near?.sum, 2)
  t.is(far?.sum, 1)
})

test('an event far ahead or behind in time carries the value on as any other', (t) => {
  const sent = [100, 1, 1_000_000, 50].map((at) => ({ at, event: { k: 'a', v: 1 } }))
  t.deepEqual(
    stored([fold('sum', 'DOUBLE', '$sum + $v', 0, ['k'])], sent).map(({ sum }) => sum),
    [1, 2, 3, 4],
  )
})
