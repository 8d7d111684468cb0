import test from 'ava'
import { spaceOf, spacesOf } from '../../../infra/memory/spaces.ts'

const definition = { name: 'hot', terms: [{ other: 'a', value: 2n ** 60n }], count: 1 }

test('a definition keeps its space in whatever order its members stand', (t) => {
  const reordered = { count: 1, terms: [{ value: 2n ** 60n, other: 'a' }], name: 'hot', within: undefined }
  t.is(spaceOf('s', 'st', 'run', definition), spaceOf('s', 'st', 'run', reordered))
  t.true(spaceOf('s', 'st', 'run', definition).startsWith(spacesOf('s', 'st')))
})

test('a definition that differs has another space', (t) => {
  const others = [
    { ...definition, count: 2 },
    { ...definition, terms: [{ other: 'a', value: 2 ** 60 }] },
    { ...definition, name: 'HOT' },
  ]
  const spaces = [definition, ...others].map((each) => spaceOf('s', 'st', 'run', each))
  t.is(new Set([...spaces, spaceOf('s', 'st', 'pair', definition), spaceOf('s', 'other', 'run', definition)]).size, 6)
})
