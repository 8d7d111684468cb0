/** Texts in any form of JSON, and values that are no texts though they look like them. */
import test from 'ava'
import { openGraphs } from './open.ts'

const { graphs, ask, close } = await openGraphs()
test.after.always(close)

const escaped = (text: string): string =>
  `"${Array.from({ length: text.length }, (_, i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`).join('')}"`
const texts = [
  ...['c7', 'C7', '', ' ', 'a b', '60', 'true', 'false', 'null', 'NULL', '[1]', '{}', "it's", 'a/b', 'a\\b', 'a"b'],
  ...['<x>&', 'a\tb', '\u007f', 'é', '山', '\u2028', '😀', '\0', '$', '~', '@'],
]
/** Each value as JSON in the forms that a client may send, and the text that it is, if it is one. */
const values = [
  ...texts.flatMap((text) => [JSON.stringify(text), escaped(text)].map((json) => ({ json, text }))),
  { json: '"a\\/b"', text: 'a/b' },
  // True and false are words; the others are no texts.
  { json: 'true', text: 'true' },
  { json: 'false', text: 'false' },
  { json: '60', text: undefined },
  { json: '[1]', text: undefined },
  { json: '{}', text: undefined },
]

test('what equals a text is that text, of nodes and of relations, however its JSON was written', async (t) => {
  await graphs.make('g')
  for (const [i, { json }] of values.entries())
    await ask('g', `CREATE (P:n${i} {"v":${json}})-[R {"v":${json}}]->(Q:m${i})`)
  await ask('g', 'CREATE (P:lacks)-[R]->(Q:lacks)')
  const found = async (operator: string, text: string) => {
    const condition = `{v ${operator} ${escaped(text)}}`
    const byNode = await ask('g', `s=>(@a P:*${condition})-[R]->(*); RETURN a.name`)
    const byRelation = await ask('g', `s=>(@a P:*)-[R${condition}]->(*); RETURN a.name`)
    return [byNode, byRelation].map(({ rows }) => rows.map(({ name }: { readonly name: string }) => name).sort())
  }
  const named = (is: (text: string | undefined) => boolean): string[] =>
    values.flatMap(({ text }, i) => (is(text) ? [`n${i}`] : [])).sort()
  for (const text of texts) {
    const [equal, others] = [named((each) => each === text), named((each) => each !== text)]
    t.deepEqual(await found('=', text), [equal, equal], `= ${JSON.stringify(text)}`)
    t.deepEqual(await found('!=', text), [others, others], `!= ${JSON.stringify(text)}`)
  }
})

test('a filter of several properties finds the nodes that pass all of them, by their latest values', async (t) => {
  await graphs.make('h')
  const cities = ['rome', 'oslo']
  for (let i = 0; i < 40; i++)
    await ask('h', `CREATE (P:n${i} {"city":"${cities[i % 2]}", "age":${i}${i % 3 ? `, "rank":${i % 5}` : ''}})`)
  // The latest value counts: a node that is found by an earlier value is not taken.
  const lines = [
    { label: 'P', name: 'n1', property: 'city', value: '"rome"', at: 1 },
    { label: 'P', name: 'n2', property: 'city', value: '"oslo"', at: 1 },
    { label: 'P', name: 'n4', property: 'rank', value: '3', at: 1 },
  ]
  const id = (await graphs.id('h')) ?? ''
  await graphs.writeScores({ graph: 'h', id }, Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join('')))
  const people = Array.from({ length: 40 }, (_, i) => ({
    name: `n${i}`,
    city: i === 1 ? 'rome' : i === 2 ? 'oslo' : String(cities[i % 2]),
    age: i,
    rank: i === 4 ? 3 : i % 3 ? i % 5 : undefined,
  }))
  type Person = (typeof people)[number]
  const filters: [text: string, passes: (person: Person) => boolean][] = [
    ['city = rome', ({ city }) => city === 'rome'],
    ['city = rome AND age > 20', ({ city, age }) => city === 'rome' && age > 20],
    ['city = rome AND rank = 3', ({ city, rank }) => city === 'rome' && rank === 3],
    ['city = rome AND rank = 3 AND age < 10', ({ city, rank, age }) => city === 'rome' && rank === 3 && age < 10],
    ['rank = 3 AND rank > 2 AND age > 5', ({ rank, age }) => rank === 3 && age > 5],
    ['city != oslo AND rank = 2', ({ city, rank }) => city !== 'oslo' && rank === 2],
    ['age > 5 AND rank > 2', ({ rank = 0, age }) => age > 5 && rank > 2],
  ]
  for (const [text, passes] of filters) {
    const { rows } = await ask('h', `s=>(@a P:*{${text}}); RETURN a.name`)
    t.deepEqual(
      rows.map(({ name }: { readonly name: string }) => name).sort(),
      people.flatMap((person) => (passes(person) ? [person.name] : [])).sort(),
      text,
    )
  }
})
