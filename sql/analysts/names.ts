import { type Calls, plainCalls } from './calls.ts'
import { isSymbol, isWord } from './clauses.ts'
import type { Token } from './lexer.ts'
import { denied, syntaxError } from './refusal.ts'
import { checkChain, checkOtherName, checkReach, checkTable, checkTableFunction, type Reach } from './tables.ts'
import { clauseWords, keywords } from './words.ts'

const deepest = 500

/** Clauses of FROM, at whose depth a comma stands between tables. */
const tableClauses = ['FROM', 'JOIN', 'ON', 'USING']

/** Functions and operators whose right side may be a table. */
export const membership: ReadonlySet<string> = new Set(
  ['', 'not'].flatMap((not) =>
    ['', 'null'].flatMap((nulls) =>
      ['', 'global'].flatMap((global) => ['', 'ignoreset'].map((ignored) => `${global}${not}${nulls}in${ignored}`)),
    ),
  ),
)

/** Words that have a table behind them. */
const tableWords = ['FROM', 'JOIN', 'IN', 'TABLE', 'DATABASE', 'VIEW', 'DESCRIBE', 'DESC', 'EXISTS', 'CREATE']

/**
 * Checks every call and every name of a statement, wherever it stands: a function in a subquery, in a lambda or behind
 * APPLY is one like any other.
 */
export function checkNames(tokens: readonly Token[], reach?: Reach, calls = plainCalls): void {
  /** The clause that is open at each depth of parentheses; none in the arguments of a function. */
  const clauses = ['']
  tokens.forEach((token, i) => {
    const before = tokens[i - 1]
    const clause = clauses.at(-1) ?? ''
    if (isOpening(token)) clauses.push(isMembership(before) || (isOpening(before) && clause === 'IN') ? 'IN' : '')
    if (isClosing(token) && (clauses.pop() === undefined || clauses.length === 0)) {
      throw syntaxError(`${token.text} closes nothing`)
    }
    if (clauses.length > deepest) throw denied(`more than ${deepest} levels of parentheses`)
    const isTable = !isOfExpression(tokens, i - 1, clause) && standsForTable(tokens, i, clause, clauses.length === 1)
    if (token.kind === 'string' && isTable && !isWord(before, 'IN')) throw denied(`${token.text} is no table`)
    if (token.kind !== 'word' && token.kind !== 'quoted') return
    const isMember = isSymbol(before, '.')
    const opens =
      !isOfExpression(tokens, i, clause) &&
      opensClause({ token, before, next: tokens[i + 1] }, clause, clauses.length === 1)
    if (token.kind === 'word' && !isMember && opens) {
      clauses[clauses.length - 1] = isWord(before, 'ARRAY') ? 'ARRAY' : token.name.toUpperCase()
    }
    if (isSymbol(tokens[i + 1], '(') && !(!isTable && namesColumns(tokens, i, clause))) {
      checkCall(token, isMember, isTable && !isWord(before, 'IN', 'EXISTS'), calls)
    }
    if (!isMember) checkChainAt(tokens, i, isTable, reach)
    if (!isTable) checkOtherName(token.name)
    // `x IN (t)` and `in(x, t)` read a table that is called t.
    if (!isMember && clause === 'IN' && isClosing(tokens[i + 2 * chainAt(tokens, i).length - 1])) {
      checkTable(partsAt(tokens, i))
    }
    checkApplied(tokens, i, calls)
  })
  if (clauses.length > 1) throw syntaxError('a parenthesis is not closed')
}

const isOpening = (token: Token | undefined): boolean => token?.kind === 'symbol' && /^[([{]$/.test(token.text)
const isClosing = (token: Token | undefined): boolean => token?.kind === 'symbol' && /^[)\]}]$/.test(token.text)

/** In `EXTRACT(YEAR FROM d)` FROM is no clause: one stands behind another, or begins its query. */
function opensClause(
  { token, before, next }: { token: Token; before: Token | undefined; next: Token | undefined },
  clause: string,
  isOutermost: boolean,
): boolean {
  if (!clauseWords.has(token.name.toLowerCase())) return false
  if (isWord(token, 'ORDER') && !isWord(next, 'BY')) return false
  return !isWord(token, 'FROM') || isOutermost || clause !== '' || isSymbol(before, '(')
}

/**
 * Whether FROM, or the WITH before it, belongs to an expression here: `ORDER BY d WITH FILL FROM x`, `a IS [NOT] DISTINCT
 * FROM b`.
 */
function isOfExpression(tokens: readonly Token[], i: number, clause: string): boolean {
  const [token, before, earlier] = [tokens[i], tokens[i - 1], tokens[i - 2]]
  if (isWord(token, 'WITH')) return clause === 'ORDER' && isWord(tokens[i + 1], 'FILL') && endsExpression(before)
  if (!isWord(token, 'FROM')) return false
  if (isWord(before, 'FILL')) return isWord(earlier, 'WITH') && clause === 'ORDER' && endsExpression(tokens[i - 3])
  if (!isWord(before, 'DISTINCT')) return false
  const is = isWord(earlier, 'NOT') ? i - 3 : i - 2
  return isWord(tokens[is], 'IS') && endsExpression(tokens[is - 1])
}

/** Whether an operator may stand behind the token: an expression ends with it, and no alias begins. */
const endsExpression = (token: Token | undefined): boolean =>
  token !== undefined &&
  (isClosing(token) || (token.kind !== 'symbol' && !isWord(token, 'SELECT', 'DISTINCT', 'AS', 'BY', 'ALL', 'WHERE')))

/** `FROM (SELECT 1, 2) AS t (a, b)`: names of columns behind a table's other name, and nothing else, in parentheses. */
function namesColumns(tokens: readonly Token[], i: number, clause: string): boolean {
  const before = tokens[i - 1]
  if (!['FROM', 'JOIN'].includes(clause) || !(isWord(before, 'AS') || isSymbol(before, ')'))) return false
  if (isWord(tokens[i], ...clauseWords, 'CROSS', 'INNER', 'LEFT', 'RIGHT', 'FULL', 'ARRAY', 'FINAL', 'SAMPLE'))
    return false
  for (let at = i + 2; ; at += 2) {
    const name = tokens[at]
    if (name?.kind !== 'word' && name?.kind !== 'quoted') return false
    if (isSymbol(tokens[at + 1], ')')) return true
    if (!isSymbol(tokens[at + 1], ',')) return false
  }
}

const isMembership = (token: Token | undefined): boolean =>
  (token?.kind === 'word' || token?.kind === 'quoted') && membership.has(token.name.toLowerCase())

function standsForTable(tokens: readonly Token[], i: number, clause: string, isOutermost: boolean): boolean {
  const [before, earlier] = [tokens[i - 1], tokens[i - 2]]
  if (isSymbol(before, ',')) return tableClauses.includes(clause)
  if (!isWord(before, ...tableWords) || isSymbol(earlier, '.')) return false
  if (isWord(before, 'FROM')) return isOutermost || clause === 'FROM'
  const isArrayJoin = isWord(before, 'JOIN') && isWord(earlier, 'ARRAY')
  // In `FROM a AS array JOIN t` it is a table's other name.
  return !isArrayJoin || isWord(tokens[i - 3], 'AS') || isSymbol(tokens[i - 3], '.')
}

function checkCall(token: Token, isMember: boolean, isTable: boolean, calls: Calls): void {
  const name = token.name.toLowerCase()
  if (token.kind === 'word' && keywords.has(name) && !isMember) return
  if (isTable) checkTableFunction(token.name)
  else if (isMember || !calls.allows(token.name)) throw calls.refusal(token.name)
}

/** `* APPLY sum` and `* APPLY(sum)` call without an argument. */
function checkApplied(tokens: readonly Token[], i: number, calls: Calls): void {
  const [token, next] = tokens.slice(i, i + 2)
  const place = isSymbol(tokens[i - 1], '(') ? i - 2 : i - 1
  if (!token || !isWord(tokens[place], 'APPLY') || isSymbol(tokens[place - 1], '.')) return
  const isLambda = isSymbol(next, '->')
  const isKeyword = token.kind === 'word' && keywords.has(token.name.toLowerCase())
  if (!isLambda && !isKeyword && !calls.allows(token.name)) throw calls.refusal(token.name)
}

function checkChainAt(tokens: readonly Token[], i: number, isTable: boolean, reach: Reach | undefined): void {
  const parts = partsAt(tokens, i)
  if (reach) checkReach(parts, isTable, reach)
  if (isTable) checkTable(parts)
  else checkChain(parts)
}

/** The names of `a.b.c` from its first on. */
function chainAt(tokens: readonly Token[], start: number): string[] {
  const names: string[] = []
  for (let i = start; ; i += 2) {
    const token = tokens[i]
    if (token?.kind !== 'word' && token?.kind !== 'quoted') return names
    names.push(token.name)
    if (!isSymbol(tokens[i + 1], '.')) return names
  }
}

/** The same; a quoted name may hold dots of its own. */
const partsAt = (tokens: readonly Token[], start: number): string[] =>
  chainAt(tokens, start).flatMap((name) => name.split('.'))
