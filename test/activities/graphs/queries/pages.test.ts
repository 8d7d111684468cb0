/** Pages whose last row is too long for an address: the listing goes on all the same. */
import test from 'ava'
import { Fault } from '../../../../base/faults.ts'
import { openGraphs } from '../open.ts'

const { graphs, ask, close } = await openGraphs()
test.after.always(close)

const longText = (from: string): string => from.repeat(20_000)
const people = ['a', 'b', 'c', 'd', 'e']

test.before(async () => {
  await graphs.make('long')
  for (const name of people)
    await ask('long', `CREATE (P:${longText(name)} {"text": "${longText(name)}"})-[R {"n": 1}]->(Q:x)`)
})

for (const text of [
  's=>(@p P:*); RETURN p.name AS n LIMIT 1',
  's=>(@p P:*); RETURN p.text AS n SORT_DESC n LIMIT 1',
  's=>(@p P:*)-[R]->(Q:*); RETURN p.text AS n SORT_ASC n LIMIT 2',
  's=>(@p P:*)-[R]->(Q:*); RETURN p.name AS n LIMIT 1',
  's{DISTINCT}=>(@p P:*)-[R]->(Q:*); RETURN p.text AS n LIMIT 1',
  's{UNIQUE}=>(@p P:*)-[R]->(Q:*); RETURN p.name AS n WHERE n != "q" LIMIT 1',
]) {
  test(`no row is lost or repeated, and each _levk is short: ${text}`, async (t) => {
    const found: string[] = []
    let answer = await ask('long', text)
    for (;;) {
      found.push(...answer.rows.map(({ n }: { readonly n: string }) => n))
      if (answer._levk === undefined) break
      t.true(answer._levk.length < 8_000, `${answer._levk.length}`)
      answer = await ask('long', text, answer._levk)
    }
    t.deepEqual(found.toSorted(), people.map(longText))
  })
}

test('a page whose last row has gone since is told, and not guessed', async (t) => {
  await graphs.make('gone')
  for (const name of people) await ask('gone', `CREATE (P:${longText(name)})`)
  const text = 's=>(@p P:*); RETURN p.name AS n LIMIT 2'
  const { _levk } = await ask('gone', text)
  await ask('gone', `DELETE (P:${longText('b')})`)
  await t.throwsAsync(ask('gone', text, _levk), {
    instanceOf: Fault,
    message: /changed since; ask from the beginning$/,
  })
})
