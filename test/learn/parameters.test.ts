import test from 'ava'
import { Refusal } from '../../base/refusal.ts'
import { decodeParameters, listOf, numberOf, type Parameter, textOf } from '../../learn/parameters.ts'

const table: readonly Parameter[] = [
  { name: 'cost', aliases: ['C'], type: 'number', default: 1, min: 0, description: 'penalty' },
  {
    name: 'svm_type',
    type: 'integer',
    default: 0,
    codes: { C_SVC: 0, NU_SVC: 1 },
    oneOf: [0, 1],
    description: 'machine',
  },
  { name: 'k', type: 'integer', min: 1, max: 100, description: 'clusters; by the data' },
  { name: 'script', type: 'text', description: 'file' },
  { name: 'weight', type: 'list', min: 0, description: 'a weight for each label' },
]

test('defaults stand where nothing is given, and what the data decide is absent', (t) => {
  t.deepEqual(decodeParameters(table, {}), { cost: 1, svm_type: 0 })
})

test('numbers come as numbers or texts, codes by number or name, lists as arrays or texts', (t) => {
  const body = { C: '2.5', svm_type: 'nu_svc', k: '7', script: 'a.py', weight: '1 2.5,3' }
  const parameters = decodeParameters(table, body)
  t.deepEqual(parameters, { cost: 2.5, svm_type: 1, k: 7, script: 'a.py', weight: [1, 2.5, 3] })
  t.deepEqual(
    [
      numberOf(parameters, 'cost'),
      numberOf(parameters, 'gamma', 9),
      textOf(parameters, 'script'),
      listOf(parameters, 'weight'),
    ],
    [2.5, 9, 'a.py', [1, 2.5, 3]],
  )
})

test('a list without bounds holds names: texts stay as they are sent', (t) => {
  const names: Parameter = { name: 'weight_label', type: 'list', default: [], description: 'labels' }
  const listed = (value: unknown) => decodeParameters([names], { weight_label: value }).weight_label
  t.deepEqual(listed(['007', 7, '1e3']), ['007', 7, '1e3'])
  t.deepEqual(listed('1 007'), ['1', '007'])
})

test('every fault is named with what would be right', (t) => {
  const body = { gamma: 1, cost: -1, C: 2, svm_type: 'XYZ', k: 1.5, script: 4, weight: [1, -1] }
  const refusal = t.throws(() => decodeParameters(table, body), { instanceOf: Refusal })
  t.deepEqual(refusal?.problems, [
    "unknown parameter 'gamma'; known are cost, svm_type, k, script, weight",
    "parameter 'cost' is -1; it must be a number from 0",
    "'cost' and 'C' name the same parameter; give one",
    `parameter 'svm_type' is "XYZ"; it must be one of 0 (C_SVC), 1 (NU_SVC)`,
    "parameter 'k' is 1.5; it must be an integer from 1 to 100",
    "parameter 'script' is 4; it must be a text",
    "parameter 'weight' is [1,-1]; it must be a list with entries from 0",
  ])
})

test('of many faults the first hundred are named', (t) => {
  const body = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`p${index}`, index]))
  const refusal = t.throws(() => decodeParameters(table, body), { instanceOf: Refusal })
  t.is(refusal?.problems.length, 101)
  t.regex(refusal?.problems[99] ?? '', /^unknown parameter 'p99'/)
  t.is(refusal?.problems[100], 'and more')
})
