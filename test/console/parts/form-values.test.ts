import test from 'ava'
import { faultOf, lineOf, typedFrom } from '../../../console/parts/form-values.ts'

const attributes = [
  { name: 'area', kind: 'number' },
  { name: 'heating', kind: 'word' },
] as const

test('a form begins with an example, and an empty field is null', (t) => {
  const typed = typedFrom(attributes, { area: 96.5, heating: null, other: 1 })
  t.deepEqual(typed, { area: '96.5', heating: '' })
  t.is(lineOf(attributes, typed), '{"area":96.5,"heating":null}')
})

test('numbers keep their digits, dates and words are texts, whatever stands in them', (t) => {
  const line = (area: string, heating: string) => lineOf(attributes, { area, heating })
  t.is(line('9007199254740993', 'x'), '{"area":9007199254740993,"heating":"x"}')
  t.is(line('+1.50', 'x'), '{"area":1.5,"heating":"x"}')
  t.is(line('2026-01-03', '1'), '{"area":"2026-01-03","heating":"1"}')
  t.is(line('.5', '"}<b>'), '{"area":0.5,"heating":"\\"}<b>"}')
})

test('a field of a number says so of anything else', (t) => {
  const fault = (text: string) => faultOf(attributes[0], text) !== undefined
  t.deepEqual(['', ' ', '1', '-1.5e3', '2026-01-03', 'x', '1,5', '0x1f'].map(fault), [
    false,
    false,
    false,
    false,
    false,
    true,
    true,
    true,
  ])
  t.is(faultOf(attributes[1], 'anything'), undefined)
})
