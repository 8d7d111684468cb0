/**
 * The clauses after a select, in any order, each at most once: `where`, `groupby a:b` (or `group by`), `rollup n`,
 * `limit n`. Refused: a clause that comes twice, one that the statement does not have, a fraction or a negative number.
 */
import type { Condition } from './ast.ts'
import { parseCondition } from './condition.ts'
import type { Cursor } from './cursor.ts'

type Clauses = { where?: Condition; groupBy?: readonly string[]; rollup?: number; limit?: number }
type Clause = 'where' | 'groupby' | 'rollup' | 'limit'

const parsers: { readonly [name in Clause]: (cursor: Cursor) => Clauses } = {
  where: (cursor) => ({ where: parseCondition(cursor) }),
  groupby: (cursor) => ({ groupBy: parseNames(cursor, ':') }),
  rollup: (cursor) => ({ rollup: parseWholeNumber(cursor) }),
  limit: (cursor) => ({ limit: parseWholeNumber(cursor) }),
}

const clauseOfWord = new Map<string, Clause>([
  ['where', 'where'],
  ['groupby', 'groupby'],
  ['group', 'groupby'],
  ['rollup', 'rollup'],
  ['limit', 'limit'],
])

export const clauseWords = [...clauseOfWord.keys()]

/** The words that would go on with a clause rather than start the next one, for messages. */
const continuations: { readonly [name in Clause]: readonly string[] } = {
  where: ["'and'", "'or'"],
  groupby: ["':'"],
  rollup: [],
  limit: [],
}

/** Reads to the end of the text. `form` names the statement in messages. */
export function parseClauses(cursor: Cursor, form: string, allowed: readonly Clause[]): Clauses {
  const found: Clauses = {}
  const left = new Set(allowed)
  let continuation: readonly string[] = []
  for (;;) {
    const name = clauseOfWord.get(cursor.word)
    if (!name) {
      cursor.expectEnd([...continuation, ...[...left].map((clause) => `'${clause}'`)])
      return found
    }
    if (!allowed.includes(name)) throw cursor.refusal(`'${name}' does not go with '${form}'${hintOf(cursor, name)}`)
    if (!left.delete(name)) throw cursor.refusal(`'${name}' comes twice`)
    if (cursor.acceptWord('group')) cursor.expectWord('by')
    else cursor.take()
    Object.assign(found, parsers[name](cursor))
    continuation = continuations[name]
  }
}

/** SQL groups every select. */
const hintOf = ({ isSelect, analystsHint }: Cursor, name: Clause): string =>
  isSelect && name === 'groupby' ? analystsHint : ''

export function parseNames(cursor: Cursor, separator: ':' | ','): string[] {
  const names: string[] = []
  do names.push(cursor.expectName('an attribute').text)
  while (cursor.acceptSymbol(separator))
  return names
}

function parseWholeNumber(cursor: Cursor): number {
  const { next: token } = cursor
  const value = token.kind === 'number' && /^[0-9]+$/.test(token.text) ? Number(token.text) : Number.NaN
  if (!Number.isSafeInteger(value)) throw cursor.unexpected([`a whole number from 0 to ${Number.MAX_SAFE_INTEGER}`])
  cursor.take()
  return value
}
