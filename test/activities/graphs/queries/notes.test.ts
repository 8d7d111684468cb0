import test from 'ava'
import { openGraphs } from '../open.ts'

const reads: string[] = []
const { graphs, ask, close } = await openGraphs([], undefined, (real) => ({
  ...real,
  rows: (statement) => {
    reads.push(statement.text)
    return real.rows(statement)
  },
}))
test.after.always(close)

test.before(async () => {
  await graphs.make('film')
  await graphs.make('bare')
  await ask('film', 'CREATE (Person:tom {"born": 1956})-[ACTED_IN {"role": "Jim"}]->(Movie:apollo)')
})

const noLabel = (name: string): string => `no node of the graph film has the label ${name}`
const noProperty = (name: string): string => `no node of the graph film has the property ${name}`
const noRelation = (name: string): string => `no relation of the graph film is called ${name}`

const table: readonly (readonly [text: string, notes: readonly string[] | undefined])[] = [
  ['s=>(Persn:*)', [`${noLabel('Persn')}; did you mean Person?`]],
  ['s=>(person:tom)-[*]->(*)', [`${noLabel('person')}; did you mean Person?`]],
  ['s=>(Person:*)-[ACTD_IN]->(*)', [`${noRelation('ACTD_IN')}; did you mean ACTED_IN?`]],
  ['s=>(@p Person:*)-[DIRECTED]->(*); RETURN p.name', [`${noRelation('DIRECTED')}; known are ACTED_IN`]],
  ['s=>(Town:*)-[IS]->(*)', [`${noLabel('Town')}; known are Movie, Person`, `${noRelation('IS')}; known are ACTED_IN`]],
  ['s=>(@p Persn:*); RETURN COUNT(*) AS n', [`${noLabel('Persn')}; did you mean Person?`]],
  ['s=>(@p Persn:*)-[*]->(*); RETURN COUNT(p) AS n, SUM(p.born)', [`${noLabel('Persn')}; did you mean Person?`]],
  ['s=>(Persn:tom)-[#SHORT_PATH *]->(Movie:*)', [`${noLabel('Persn')}; did you mean Person?`]],
  ['s=>(Person:tom)-[#ALL_PATH ACTD_IN]->(Movie:*)', [`${noRelation('ACTD_IN')}; did you mean ACTED_IN?`]],
  ['s{DEGREE}=>(Persn:*)-[*]->(*)', [`${noLabel('Persn')}; did you mean Person?`]],
  [
    '<SUBTRACT USING name> s=>(@p Person:*); RETURN p.name ++ t=>(@m Movi:*); RETURN m.name',
    [`${noLabel('Movi')}; did you mean Movie?`],
  ],
  ['<ADD USING name> s=>(@p Person:*); RETURN p.name ++ t=>(@m Movie:*); RETURN m.name', undefined],
  ['s=>(Person:nobody)', undefined],
  ['s=>(Movie:*)-[ACTED_IN]->(Person:*)', undefined],
  ['s=>(@p Person:nobody); RETURN COUNT(*) AS n', undefined],
  ['s=>(Person:*)-[ACTED_IN]->(*)', undefined],
  ['s=>(Person:* {brn = 1956})', [`${noProperty('brn')}; did you mean born?`]],
  [
    's=>(@p Person:* {brn > 1 AND born = $bron}); RETURN COUNT(*) AS n',
    [`${noProperty('brn')}; did you mean born?`, `${noProperty('bron')}; did you mean born?`],
  ],
  [
    's=>(@p Person:*)-[ACTED_IN {as = "x"}]->(Movie:* {year = $p.bor})',
    [
      `${noProperty('year')}; known are born`,
      `${noProperty('bor')}; did you mean born?`,
      'no relation of the graph film has the property as; known are role',
    ],
  ],
  ['s=>(@p Person:* {ROUND($brn) = 1})', [`${noProperty('brn')}; did you mean born?`]],
  ['s=>(@p Person:*); RETURN p.name, p.brn', [`${noProperty('brn')}; did you mean born?`]],
  ['s=>(@p Person:*); RETURN p.brn AS year, COUNT(*) AS n', [`${noProperty('brn')}; did you mean born?`]],
  ['s=>(@p Person:*); RETURN p.name, SUM(p.brn) AS n', [`${noProperty('brn')}; did you mean born?`]],
  [
    's=>(*)-[@r ACTED_IN]->(*); RETURN r.rol, r.rel',
    ['no relation of the graph film has the property rol; did you mean role?'],
  ],
  ['s=>(@p Persn:* {brn = 1}); RETURN p.brn', [`${noLabel('Persn')}; did you mean Person?`]],
  [
    's=>(@p Person:*)-[@r *]->(@m *); RETURN p.name, p.born, r.role, r.evpk, m.label, MATH_EXP("($born+1)") AS c',
    undefined,
  ],
  ['s=>(@p Person:*); RETURN p.name, SUM(p.born) AS n', undefined],
  ['s=>(Person:* {died ~ NA})', undefined],
  ['s=>(Person:* {died ~ NA AND born = 1})', undefined],
  ['s=>(Movie:* {born = 1956})', undefined],
  ['s=>(*)', undefined],
]

for (const [text, notes] of table) {
  test.serial(`${text} ${notes ? `says ${notes.join(', ')}` : 'says nothing'}`, async (t) => {
    const { errcode, error } = await ask('film', text)
    t.deepEqual(error, notes)
    t.is(errcode, notes && 0)
  })
}

test.serial('a graph without nodes says so', async (t) => {
  t.deepEqual(await ask('bare', 's=>(A:*)-[R]->(*)'), {
    triple: [],
    num_items: 0,
    errcode: 0,
    error: [
      'no node of the graph bare has the label A: it has no nodes yet',
      'no relation of the graph bare is called R: it has no relations yet',
    ],
  })
})

test.serial('a label that came meanwhile is known at once', async (t) => {
  t.truthy((await ask('film', 's=>(City:rome)')).error)
  await ask('film', 'CREATE (City:oslo)')
  t.deepEqual(await ask('film', 's=>(City:rome)'), { nodes: [], num_items: 0 })
})

test.serial(
  'a query that finds something looks for no name, and one that finds nothing not again within seconds',
  async (t) => {
    const readsOf = async (text: string): Promise<number> => {
      const before = reads.length
      await ask('film', text)
      return reads.length - before
    }
    await ask('film', 's=>(Person:nobody)')
    t.is(await readsOf('s=>(Person:tom)'), 0)
    t.is(await readsOf('s=>(@p Person:*); RETURN COUNT(*) AS n'), 0)
    t.is(await readsOf('s=>(Person:nobody)'), 0)
  },
)

test.serial('a statement of many names that are not there costs three reads, and has twenty notes', async (t) => {
  const before = reads.length
  const text = `(L:*)${Array.from({ length: 16 }, (_, i) => `-[R${i}]->(L${i}:*)`).join('')}`
  const { error } = await ask('film', `s=>${text}`)
  t.is(error.length, 20)
  t.is(reads.length - before, 3)
})

test.serial('a lone count that is called as the notes are keeps its name', async (t) => {
  t.deepEqual(await ask('film', 's=>(@p Persn:*); RETURN COUNT(*) AS error'), {
    rows: [{ error: 0 }],
    num_items: 1,
    error: 0,
  })
})
