import test from 'ava'
import type { Predict } from '../../../../activities/events/computed/compile.ts'
import type { Event } from '../../../../base/json.ts'
import type { AttributeType } from '../../../../sql/schema/schema.ts'
import { attribute, predicted } from './compute.ts'

const prediction = (name: string, inputs: string[], type: AttributeType = 'DOUBLE', rest = {}) =>
  attribute('PRED', inputs, { name, type, model: `model of ${name}`, ...rest })

/** A model that answers the sum of its inputs, and the list of its calls. */
function sums() {
  const calls: unknown[] = []
  const predict: Predict = async ({ name }, inputs) => {
    calls.push([name, inputs.map((each) => each && { ...each })])
    return inputs.map((each) => each && Object.values(each).reduce<number>((sum, value) => sum + Number(value), 0))
  }
  return { calls, predict }
}

test('what a prediction reads is computed before it, and what reads the prediction after it', async (t) => {
  const attributes = [
    attribute('MUL', ['late', 10], { name: 'cost' }),
    prediction('later', ['late', 'cost']),
    prediction('late', ['speed', 'wind']),
    attribute('DIV', ['miles', 'hours'], { name: 'speed' }),
  ]
  const { calls, predict } = sums()
  t.deepEqual(await predicted(attributes, [{ miles: 90, hours: 2, wind: 5 }], predict), [
    { miles: 90, hours: 2, wind: 5, speed: 45, late: 50, cost: 500, later: 550 },
  ])
  t.deepEqual(calls, [
    ['late', [{ speed: 45, wind: 5 }]],
    ['later', [{ late: 50, cost: 500 }]],
  ])
})

test('a model is asked once for many events, and gets nothing of those that lack all inputs', async (t) => {
  const { calls, predict } = sums()
  const events: Event[] = [{ a: 1 }, { b: 9 }, { a: null }, { a: { b: 1 } }, { a: 4 }]
  t.deepEqual(await predicted([prediction('x', ['a'])], events, predict), [
    { a: 1, x: 1 },
    { b: 9 },
    { a: null },
    { a: { b: 1 } },
    { a: 4, x: 4 },
  ])
  t.deepEqual(calls, [['x', [{ a: 1 }, undefined, undefined, undefined, { a: 4 }]]])
})

test('an input that an event lacks is a missing value to the model', async (t) => {
  const { calls, predict } = sums()
  const events: Event[] = [{ a: 1 }, { a: null, b: 2 }, { a: 1, b: 2 }, { c: 1 }]
  t.deepEqual(await predicted([prediction('x', ['a', 'b'])], events, predict), [
    { a: 1, x: 1 },
    { a: null, b: 2, x: 2 },
    { a: 1, b: 2, x: 3 },
    { c: 1 },
  ])
  t.deepEqual(calls, [['x', [{ a: 1 }, { b: 2 }, { a: 1, b: 2 }, undefined]]])
})

test('a prediction that is wanted only where it is missing is asked for there alone', async (t) => {
  const { calls, predict } = sums()
  const events: Event[] = [{ a: 1, x: 7 }, { a: 2 }]
  const wanted = prediction('x', ['a'], 'DOUBLE', { whenPresent: 'add if missing' })
  t.deepEqual(await predicted([wanted], events, predict), [
    { a: 1, x: 7 },
    { a: 2, x: 2 },
  ])
  t.deepEqual(calls, [['x', [{ a: 2 }]]])
})

test('a field of an object is an input under its dotted name', async (t) => {
  const { calls, predict } = sums()
  await predicted([prediction('x', ['prod.price'])], [{ prod: { price: 3 } }], predict)
  t.deepEqual(calls, [['x', [{ 'prod.price': 3 }]]])
})

const turned: readonly (readonly [AttributeType, unknown, unknown])[] = [
  ['STRING', 'rain', 'rain'],
  ['STRING', 3, '3'],
  ['STRING', [{ text: 'Rome', tag: 'CITY' }], '[{"text":"Rome","tag":"CITY"}]'],
  ['LONG', 87.5, 87],
  ['LONG', -0.5, 0],
  ['LONG', '46', 46],
  ['LONG', 5n, 5],
  ['LONG', 'late', undefined],
  ['LONG', Number.NaN, undefined],
  ['DOUBLE', '2.5', 2.5],
  ['DOUBLE', Number.POSITIVE_INFINITY, undefined],
  ['BOOL', 1, true],
  ['BOOL', 'false', false],
  ['BOOL', 2, undefined],
  ['DOUBLE', undefined, undefined],
]

for (const [type, label, value] of turned) {
  const shown =
    typeof label === 'bigint' ? `${label}n` : typeof label === 'number' ? String(label) : JSON.stringify(label)
  test(`the label ${shown} becomes ${JSON.stringify(value)} in a ${type}`, async (t) => {
    const [event] = await predicted([prediction('x', ['a'], type)], [{ a: 1 }], async () => [label])
    t.deepEqual(event, value === undefined ? { a: 1 } : { a: 1, x: value })
  })
}
