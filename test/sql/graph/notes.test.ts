import test from 'ava'
import { notesOn, parseStatement } from '../../../sql/graph/index.ts'

const ask = 's=>(@a P:*)-[R]->(@b *'
const column = (word: string): string =>
  `${word} is read as a text, and is a column of RETURN; write $${word} to compare with it`
const table: readonly (readonly [text: string, notes: readonly string[]])[] = [
  [`${ask}); RETURN a.name, b.name AS other WHERE name != other`, [column('other')]],
  [`${ask}); RETURN a.name, b.name AS other WHERE name != other OR name > other`, [column('other')]],
  [`${ask}); RETURN a.name, b.x AS x, COUNT(a.y {x = name}) AS n`, [column('name')]],
  [
    `${ask}); RETURN a.name, b.name AS other WHERE name != b.name`,
    ['b.name is read as a text, and is the column other of RETURN; write $other to compare with it'],
  ],
  [
    `${ask} {name != a.name}); RETURN b.name`,
    ['a.name is read as a text, and a is an alias of the pattern; write $a.name to compare with it'],
  ],
  [`<ADD USING name> ${ask}); RETURN a.name ++ ${ask}); RETURN b.name, b.x WHERE x = name`, [column('name')]],
  [`${ask}); RETURN a.name, b.name AS other WHERE name != "other"`, []],
  [`${ask}); RETURN a.name, b.name AS other WHERE name != $other`, []],
  [`${ask}); RETURN a.name, b.name AS other WHERE name != others`, []],
  [`${ask} {name != c.name AND x = a}); RETURN b.name`, []],
  [`${ask}); RETURN * WHERE name != sub`, []],
  [`${ask})`, []],
]

for (const [text, notes] of table) {
  test(`${text} has ${notes.length === 0 ? 'no note' : 'a note'}`, (t) => {
    const statement = parseStatement(text)
    if (statement.kind !== 'query' && statement.kind !== 'set') return t.fail()
    t.deepEqual(notesOn(statement), notes)
  })
}
