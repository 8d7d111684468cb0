import test from 'ava'
import { conditionOf } from '../../../../console/pages/streams/erasure-statement.ts'

const cases: [string, string, string | undefined][] = [
  ['STRING', 'Ann', 'who = "Ann"'],
  ['STRING', 'a "b" \\ c', 'who = "a \\"b\\" \\\\ c"'],
  ['STRING', 'x" or who != "', 'who = "x\\" or who != \\""'],
  ['STRING', ' Ann', 'who = " Ann"'],
  ['STRING', '', undefined],
  ['LONG', ' -12 ', 'who = -12'],
  ['LONG', '5 or n > 0', undefined],
  ['LONG', '1.5', undefined],
  ['DOUBLE', '1.5', 'who = 1.5'],
  ['DOUBLE', '1.5 or 1 = 1', undefined],
  ['BOOL', 'true', 'who = true'],
  ['BOOL', 'true or false', undefined],
]

for (const [type, value, expected] of cases) {
  test(`a ${type} that is typed as ${JSON.stringify(value)} is ${expected === undefined ? 'no value to erase by' : 'one value of the condition'}`, (t) => {
    t.is(conditionOf({ name: 'who', type }, value), expected)
  })
}
