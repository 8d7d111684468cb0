import test from 'ava'
import * as codes from '../../../sql/schema/codes.ts'
import { attributeTypes, decodeCode, encodeCode, formats, operations, trainSpeeds } from '../../../sql/schema/codes.ts'

const isTable = (value: unknown): value is codes.CodeTable<string> =>
  typeof value === 'object' && value !== null && 'entries' in value

const tables = Object.values<unknown>(codes).filter(isTable)

test('each code is read from its number, the number as text, and its name in any case', (t) => {
  t.is(tables.length, 19)
  for (const table of tables) {
    for (const [number, name] of table.entries) {
      for (const sent of [name, name.toLowerCase(), name.toUpperCase(), ` ${name} `]) {
        t.deepEqual(decodeCode(table, sent), { name }, `${table.what} ${sent}`)
      }
      if (number === null) continue
      t.deepEqual(decodeCode(table, number), { name })
      t.deepEqual(decodeCode(table, `${number}`), { name })
    }
  }
})

test('each code is written as its number, or as its name where it has no number', (t) => {
  for (const table of tables) {
    for (const [number, name] of table.entries) t.is(encodeCode(table, name), number ?? name)
  }
  t.is(encodeCode(operations, 'PRED'), 'PRED')
})

test('no number and no name stands for two codes of a table', (t) => {
  for (const { what, entries, aliases } of tables) {
    const numbers = entries.map(([number]) => number).filter((number) => number !== null)
    const names = [...entries.map(([, name]) => name.toUpperCase()), ...aliases.keys()]
    t.is(new Set(numbers).size, numbers.length, what)
    t.is(new Set(names).size, names.length, what)
  }
})

const aliases = [
  [attributeTypes, 'str', 'STRING'],
  [codes.modelAttributeTypes, 'hyb', 'HYBRID'],
  [codes.modelAttributeTypes, 'STR', 'STRING'],
  [formats, 'libsvm', 'SVM'],
  [trainSpeeds, 'very_fast', 'VERY FAST'],
  [codes.tableTypes, 'WIDE_TABLE', 'WIDE'],
  [codes.comparisons, '>=', 'GTE'],
  [codes.streamKinds, 'pattern', 'join'],
] as const

test('some codes have a second name', (t) => {
  for (const [table, alias, name] of aliases) t.deepEqual(decodeCode<string>(table, alias), { name })
})

const known = '3 OBJECT, 5 STRING, 9 LONG, 11 DOUBLE, 12 BOOL'
const unknown = [
  [7, `unknown type 7; known are ${known}`],
  ['7', `unknown type '7'; known are ${known}`],
  ['TEXT', `unknown type 'TEXT'; known are ${known}`],
  [5.5, `unknown type 5.5; known are ${known}`],
  [true, `unknown type true; known are ${known}`],
  [[5], `unknown type array; known are ${known}`],
  [{}, `unknown type object; known are ${known}`],
  ['__proto__', `unknown type '__proto__'; known are ${known}`],
  [undefined, `no type; known are ${known}`],
] as const

test('an unknown code is refused with the list of the known ones', (t) => {
  for (const [sent, problem] of unknown) t.deepEqual(decodeCode(attributeTypes, sent), { problem })
})
