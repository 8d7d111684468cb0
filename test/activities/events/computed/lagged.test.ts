/** Predictions from last values, against a slow walk over all events before. */
import test from 'ava'
import fc from 'fast-check'
import { compileComputed } from '../../../../activities/events/computed/compile.ts'
import type { LastValues } from '../../../../activities/events/computed/lagged.ts'
import type { Predict } from '../../../../activities/events/computed/prediction.ts'
import type { Event } from '../../../../base/json.ts'
import type { ComputedAttribute } from '../../../../sql/schema/schema.ts'
import { attribute } from './compute.ts'

/** All values of each series; a batch's are put to them behind it. */
function valuesOf({ uid }: ComputedAttribute) {
  const all = new Map<unknown, number[]>()
  const values: LastValues = {
    last: (of, count) => {
      const known = all.get(of) ?? []
      return known.length < count ? undefined : known.slice(-count)
    },
  }
  const observe = ({ v, u }: Event): void => {
    const key = uid === undefined ? undefined : u
    if (typeof v === 'number') all.set(key, [...(all.get(key) ?? []), v])
  }
  return { values, observe }
}

/** Answers the inputs as they are named, `lag1` in the last place. */
const digits: Predict = async (_, inputs) =>
  inputs.map((each) => each && Number(['lag3', 'lag2', 'lag1'].map((name) => each[name] ?? '').join('')))

const lagged = (more: Partial<ComputedAttribute> = {}) => attribute('PRED', ['v'], { model: 'm', lag: 2, ...more })

/** `name` of each event after it went through, a batch after the other. */
async function predicted(batches: readonly (readonly Event[])[], of: ComputedAttribute, predict = digits) {
  const { values, observe } = valuesOf(of)
  const compute = compileComputed([of], { attributes: [] }, predict, () => values)
  if (compute.kind !== 'together') throw new Error('a prediction is made of events together')
  const events = batches.map((batch) => batch.map((event) => ({ ...event })))
  for (const batch of events) {
    await compute.compute(batch)
    batch.forEach(observe)
  }
  return events.flat().map((event) => event[of.name])
}

test('each event is predicted from the values before it, by uid, wherever the batches are cut', async (t) => {
  const event = fc.record(
    { v: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.constant(null)), u: fc.constantFrom('a', 'b') },
    { requiredKeys: [] },
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(event, { maxLength: 6 }), { maxLength: 6 }),
      fc.boolean(),
      async (batches, has) => {
        const of = lagged(has ? { uid: 'u' } : {})
        const all = batches.flat()
        const slow = all.map(({ u }, place) => {
          if (has && u === undefined) return undefined
          const before = all.slice(0, place).filter((each) => !has || each.u === u)
          const known = before.flatMap(({ v }) => (typeof v === 'number' ? [v] : []))
          return known.length < 2 ? undefined : Number(known.slice(-2).join(''))
        })
        t.deepEqual(await predicted(batches, of), slow)
      },
    ),
    { numRuns: 200 },
  )
})

test('an event that keeps the value that it was posted with brings its own value to the series all the same', async (t) => {
  const of = { ...lagged(), whenPresent: 'add if missing' as const }
  t.deepEqual(await predicted([[{ v: 1 }, { v: 2 }, { v: 3, [of.name]: 7 }, { v: 4 }]], of), [
    undefined,
    undefined,
    7,
    23,
  ])
})

test('without values that are kept the attribute stays missing', async (t) => {
  const compute = compileComputed([lagged()], { attributes: [] }, digits)
  const events: Event[] = [{ v: 1 }, { v: 2 }, { v: 3 }]
  if (compute.kind === 'together') await compute.compute(events)
  t.deepEqual(events, [{ v: 1 }, { v: 2 }, { v: 3 }])
})
