import { readFileSync } from 'node:fs'
import test from 'ava'
import { mutants } from '../../../scripts/mutate/mutants/index.js'
import { placesOf } from '../../../scripts/mutate/place.js'
import { placeAll } from '../../../scripts/mutate/sources.js'
import { linesOf, page } from '../../../scripts/mutate/table.js'

test('each mutant has one place in the product, where it changes something, and tests that are there', (t) => {
  const { placed, faults } = placeAll(mutants)
  t.deepEqual(faults, [])
  t.deepEqual(
    placed.map(({ id }) => id),
    mutants.map(({ id }) => id),
  )
  for (const { find, put } of mutants) t.not(put, find)
  t.is(new Set(mutants.map(({ id }) => id)).size, mutants.length)
})

test('docs/tests.md tells of each mutant, that it was tried and is seen', (t) => {
  const lines = linesOf(readFileSync(page, 'utf8'))
  t.deepEqual(
    [...lines.keys()],
    mutants.map(({ id }) => id),
  )
  t.deepEqual(
    [...lines].filter(([, line]) => line.includes('**none**')),
    [],
  )
})

const { find, put } = { find: 'if ($state.fed >= $position) return found($state, [1, 2])', put: 'void $position' }
const places: [string, string, string[]][] = [
  ['as it stands', 'if (state.fed >= position) return found(state, [1, 2])', ['void position']],
  [
    'formatted otherwise',
    'if (\n  state.fed >=\n    position\n)\n  return found(\n    state,\n    [\n      1,\n      2,\n    ],\n  )',
    ['void position'],
  ],
  ['with other names', 'if (queue.fed >= this.seq) return found(queue, [1, 2])', ['void this.seq']],
  ['with one name in place of two', 'if (queue.fed >= at) return found(other, [1, 2])', []],
  ['with another member', 'if (state.gone >= position) return found(state, [1, 2])', []],
  ['behind a longer word', 'unif (state.fed >= position) return found(state, [1, 2])', []],
  ['without the space between two words', 'if (state.fed >= position) returnfound(state, [1, 2])', []],
  ['twice', 'if (a.fed >= b) return found(a, [1, 2])\nif (c.fed >= d) return found(c, [1, 2])', ['void b', 'void d']],
]

for (const [title, text, expected] of places) {
  test(`a place ${title} is found ${expected.length} times`, (t) => {
    const found = placesOf({ find, put }, [['a.ts', `before ${text} behind`]])
    t.deepEqual(
      found.map((place) => place.put),
      expected,
    )
    if (expected.length === 1) t.is(`before ${text} behind`.slice(found[0]?.start, found[0]?.end), text)
  })
}
