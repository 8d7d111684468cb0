import { isSymbol, isWord } from './clauses.ts'
import { isAllowedFunction } from './functions.ts'
import type { Token } from './lexer.ts'
import { denied, syntaxError } from './refusal.ts'
import { checkChain, checkOtherName, checkReach, checkTable, type Reach } from './tables.ts'
import { clauseWords, keywords, tableFunctions } from './words.ts'

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
export function checkNames(tokens: readonly Token[], reach?: Reach, isFunction = isAllowedFunction): void {
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
    const isTable = standsForTable(tokens, i, clause, clauses.length === 1)
    if (token.kind === 'string' && isTable && !isWord(before, 'IN')) throw denied(`${token.text} is no table`)
    if (token.kind !== 'word' && token.kind !== 'quoted') return
    const isMember = isSymbol(before, '.')
    if (token.kind === 'word' && !isMember && opensClause(token, before, clause, clauses.length === 1)) {
      clauses[clauses.length - 1] = isWord(before, 'ARRAY') ? 'ARRAY' : token.name.toUpperCase()
    }
    if (isSymbol(tokens[i + 1], '(')) checkCall(token, isMember, isTable && !isWord(before, 'IN', 'EXISTS'), isFunction)
    if (!isMember) checkChainAt(tokens, i, isTable, reach)
    if (!isTable) checkOtherName(token.name)
    // `x IN (t)` and `in(x, t)` read a table that is called t.
    if (!isMember && clause === 'IN' && isClosing(tokens[i + 2 * chainAt(tokens, i).length - 1])) {
      checkTable(partsAt(tokens, i))
    }
    checkApplied(tokens, i)
  })
  if (clauses.length > 1) throw syntaxError('a parenthesis is not closed')
}

const isOpening = (token: Token | undefined): boolean => token?.kind === 'symbol' && /^[([{]$/.test(token.text)
const isClosing = (token: Token | undefined): boolean => token?.kind === 'symbol' && /^[)\]}]$/.test(token.text)

/** In `EXTRACT(YEAR FROM d)` FROM is no clause: one stands behind another, or begins its query. */
function opensClause(token: Token, before: Token | undefined, clause: string, isOutermost: boolean): boolean {
  if (!clauseWords.has(token.name.toLowerCase())) return false
  return !isWord(token, 'FROM') || isOutermost || clause !== '' || isSymbol(before, '(')
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

function checkCall(token: Token, isMember: boolean, isTable: boolean, isFunction: (name: string) => boolean): void {
  const name = token.name.toLowerCase()
  if (token.kind === 'word' && keywords.has(name) && !isMember) return
  const isAllowed = !isMember && (isTable ? tableFunctions.has(name) : isFunction(name))
  if (!isAllowed) throw denied(`the ${isTable ? 'table function' : 'function'} ${token.name} is not for analysts`)
}

/** `* APPLY sum` and `* APPLY(sum)` call without an argument. */
function checkApplied(tokens: readonly Token[], i: number): void {
  const [token, next] = tokens.slice(i, i + 2)
  const place = isSymbol(tokens[i - 1], '(') ? i - 2 : i - 1
  if (!token || !isWord(tokens[place], 'APPLY') || isSymbol(tokens[place - 1], '.')) return
  const isLambda = isSymbol(next, '->')
  const isKeyword = token.kind === 'word' && keywords.has(token.name.toLowerCase())
  if (!isLambda && !isKeyword && !isAllowedFunction(token.name)) {
    throw denied(`the function ${token.name} is not for analysts`)
  }
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
