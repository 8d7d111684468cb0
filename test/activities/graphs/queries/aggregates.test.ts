import test from 'ava'
import { Refusal } from '../../../../base/refusal.ts'
import { openGraphs } from '../open.ts'

const { graphs, ask, close } = await openGraphs()
test.after.always(close)

test.before(async () => {
  await graphs.make('films')
  for (const [name, role, film, born] of [
    ['tom', 'lead', 'apollo', 1956],
    ['tom', 'lead', 'big', 1956],
    ['kevin', 'second', 'apollo', 1958],
  ])
    await ask('films', `CREATE (P:${name} {"born": ${born}})-[ACTED {"role": "${role}"}]->(M:${film})`)
  await ask('films', 'CREATE (P:ann)-[ACTED]->(M:big)')
})

const rows = async (text: string) => (await ask('films', text)).rows

test('a count by its own name counts where the property that it is of is such', async (t) => {
  const of = (count: string) => rows(`s=>(@p P:*)-[@r ACTED]->(M:*); RETURN p.name, ${count} SORT_ASC name`)
  t.deepEqual(await of('COUNT(r.role {leads = "lead"}) AS leads'), [
    { name: 'ann', leads: 0 },
    { name: 'kevin', leads: 0 },
    { name: 'tom', leads: 2 },
  ])
  t.deepEqual(await of('COUNT(r.role {n != lead}) AS n'), [
    { name: 'ann', n: 0 },
    { name: 'kevin', n: 1 },
    { name: 'tom', n: 0 },
  ])
  t.deepEqual(await rows('s=>(@p P:*); RETURN COUNT(p.born {count > 1955 AND count < 1958})'), [{ count: 1 }])
  t.deepEqual(await rows('s=>(@p P:*); RETURN COUNT(p.name {n = "t$%"}) AS n, COUNT(*) AS all'), [{ n: 1, all: 3 }])
  t.deepEqual(await rows('s=>(@p P:*)-[@r ACTED]->(M:*); RETURN p.name, COUNT(r.role {c = lead}) AS c WHERE c > 0'), [
    { name: 'tom', c: 2 },
  ])
  for (const [count, at] of [
    ['COUNT(*) AS all, COUNT(p.born {all > 1}) AS n', 51],
    ['COUNT(* {n > 1}) AS n', 33],
    ['COUNT(p {n > 1}) AS n', 33],
  ] as const)
    await t.throwsAsync(rows(`s=>(@p P:*); RETURN ${count}`), { instanceOf: Refusal }, `${count} ${at}`)
})

test('a formula without columns groups, so that of nothing there is no group', async (t) => {
  for (const pattern of ['(P:nobody)-[*]->(*)', '(@p P:nobody)-[ACTED]->(M:*)-[*]->(*)', '(P:nobody)'])
    t.deepEqual(await rows(`s=>${pattern}; RETURN MATH_EXP("3") AS k, COUNT(*) AS n`), [], pattern)
  t.deepEqual(await rows('s=>(P:tom)-[*]->(*); RETURN MATH_EXP("3") AS k, COUNT(*) AS n'), [{ k: 3, n: 2 }])
  t.deepEqual(await rows('s=>(P:nobody)-[*]->(*); RETURN COUNT(*) AS n'), [{ n: 0 }])
})

test('a number of any length compares as what it is', async (t) => {
  const names = async (term: string) => (await rows(`s=>(@p P:* {born ${term}}); RETURN p.name`)).length
  const beyond = `${2n ** 256n}`
  for (const [term, found] of [
    [`< ${beyond}`, 2],
    [`> ${beyond}`, 0],
    [`> -${beyond}`, 2],
    [`< -${beyond}`, 0],
    [`= ${2n ** 256n + 1956n}`, 0],
    [`!= ${2n ** 256n + 1956n}`, 2],
    [`< 1${'0'.repeat(75)}`, 2],
    [`< 1${'0'.repeat(76)}`, 2],
    [`< 1${'0'.repeat(300)}`, 2],
  ] as const)
    t.is(await names(term), found, term)
})
