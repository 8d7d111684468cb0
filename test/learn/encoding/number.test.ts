import test from 'ava'
import { toNumber } from '../../../learn/encoding/number.ts'

test('decimal numbers are numbers, with blanks around and as JSON gives them', (t) => {
  const texts = {
    '1.5': 1.5,
    ' 7 ': 7,
    '-0.25': -0.25,
    '+3': 3,
    '.5': 0.5,
    '0': 0,
    '00012': 12,
    '1e-3': 1e-3,
    '0e1': 0,
    true: 1,
    FALSE: 0,
  }
  for (const [text, number] of Object.entries(texts)) t.is(toNumber(text), number, text)
  t.is(toNumber(-2.5), -2.5)
})

test('missing is missing', (t) => {
  t.is(toNumber(undefined), Number.NaN)
})

test('what only a program takes for a number is none', (t) => {
  const texts = ['0x1f', ' 0b1', '0O7', '-0x1', '', ' ', '1,5', '1_000', 'Infinity', 'NaN', 'nan', 'NA', '1e400']
  for (const text of [...texts, '5 apples', '--1']) t.is(toNumber(text), undefined, text)
  t.is(toNumber(Infinity), undefined)
})
