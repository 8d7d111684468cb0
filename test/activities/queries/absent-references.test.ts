import test from 'ava'
import { createAbsentReferences } from '../../../activities/queries/absent-references.ts'
import type { Reference } from '../../../sql/schema/check/notes.ts'

type Attribute = Extract<Reference, { kind: 'model' }>['attribute']
type Facts = {
  readonly attributes: readonly string[]
  readonly labels?: readonly (string | number)[]
  readonly lag?: number
}

async function notesOf(attribute: Attribute, { attributes, labels, lag }: Facts): Promise<string[]> {
  const facts = {
    ...{ task: 'classes', num_attributes: attributes.length, parameters: {}, source: {}, example: '' },
    attributes: attributes.map((name) => ({ name, kind: 'number' as const })),
    ...(labels && { labels: [...labels] }),
    ...(lag !== undefined && { series: { lag, offset: 1, time: '_pk' } }),
  }
  const row = { ...{ number: 3, key: '', algorithm: 'LIN', start_us: 0, end_us: 0, since_us: 0 }, metrics: {}, facts }
  const said: string[] = []
  const note = createAbsentReferences({
    templates: { absent: async () => new Set() },
    models: {
      current: { of: async () => row, forget: () => {} } as never,
      trainings: { list: async () => [] } as never,
    },
    logger: { warn: () => {} },
  })
  const reference: Reference = { kind: 'model', path: 'streams[0].catr[0].model', model: 'm', attribute }
  await note({ references: () => [reference], add: (_: string, says: string) => void said.push(says) } as never, 's')
  return said.map((says) => says.replace('is model m of schema s, whose version 3 ', ''))
}

const attribute = (type: Attribute['type'], more: Partial<Attribute> = {}): Attribute => ({
  ...{ name: 'p', type, inputs: ['a', 'b'] },
  ...more,
})
const words = { attributes: ['a', 'b'], labels: ['hi', 'lo'] }

for (const [what, of, facts, says] of [
  ['of its attributes and a text fits', attribute('STRING'), words, []],
  ['that answers words', attribute('LONG'), words, ['answers hi, lo, which no LONG can hold: p stays missing there']],
  [
    'of which one answer is a word',
    attribute('DOUBLE'),
    { ...words, labels: [1, '2', 'x'] },
    ['answers x, which no DOUBLE can hold: p stays missing there'],
  ],
  ['that answers 0 and 1 fits a truth', attribute('BOOL'), { ...words, labels: [0, 1] }, []],
  [
    'that reads one more',
    attribute('STRING'),
    { ...words, attributes: ['a', 'b', 'c'] },
    ['reads c, which iatr lacks: that is taken as missing'],
  ],
  [
    'that reads others',
    attribute('STRING'),
    { ...words, attributes: ['q', 'r'] },
    ['reads q, r, none of which iatr names: p stays missing'],
  ],
  [
    'of windows has names of its own',
    attribute('DOUBLE', { lag: 2, inputs: ['volt'] }),
    { attributes: ['lag2', 'lag1'], lag: 2 },
    [],
  ],
  [
    'of longer windows',
    attribute('DOUBLE', { lag: 2, inputs: ['volt'] }),
    { attributes: ['lag3', 'lag2', 'lag1'], lag: 3 },
    ['was trained with lag 3, and lag is 2: p stays missing'],
  ],
  [
    'of no windows',
    attribute('DOUBLE', { lag: 2, inputs: ['volt'] }),
    words,
    ['was trained without lag, and lag is 2: p stays missing'],
  ],
  [
    'without the label whose probability is asked for',
    attribute('DOUBLE', { probabilityOf: 'mid' }),
    words,
    ['has no label mid, but hi, lo: p stays missing'],
  ],
  ['with the label whose probability is asked for fits', attribute('DOUBLE', { probabilityOf: 'hi' }), words, []],
] as const) {
  test(`the answer to a schema says what does not fit of a model ${what}`, async (t) => {
    t.deepEqual(await notesOf(of, facts), [...says])
  })
}
