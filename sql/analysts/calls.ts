import { suggest } from '../../base/suggest.ts'
import { isSymbol, isWord } from './clauses.ts'
import { functionNames, isAllowedFunction, withoutCombinator } from './functions.ts'
import type { Token } from './lexer.ts'
import { denied, StatementRefusal } from './refusal.ts'
import { keywords, tableFunctions } from './words.ts'

/** The functions that a statement may call, and the refusal of another one. */
export type Calls = {
  readonly allows: (name: string) => boolean
  readonly refusal: (name: string) => StatementRefusal
}

/**
 * @param known the names of ClickHouse's own functions, in lower case; without it every name is taken for one of them
 * @param lambdas names that the statement itself gives to lambdas: `WITH x -> x + 1 AS next SELECT next(2)`
 */
export function createCalls(known?: ReadonlySet<string>, lambdas: ReadonlySet<string> = new Set()): Calls {
  return {
    allows: (name) => isAllowedFunction(name) || lambdas.has(name),
    refusal: (name) => (known === undefined || isKnown(known, name) ? refused(name) : unknown(known, name)),
  }
}

export const plainCalls = createCalls()

function isKnown(known: ReadonlySet<string>, name: string): boolean {
  const base = name.toLowerCase()
  const shorter = withoutCombinator(base)
  return known.has(base) || (shorter !== undefined && isKnown(known, shorter))
}

/** Names that lead from a function that is not for analysts to what does its work. */
const insteads: readonly (readonly [name: RegExp, instead: string])[] = [
  [/^dict|^region/, 'there are no dictionaries: join a table'],
  [/^getsetting/, 'SELECT value FROM system.settings has the settings'],
  [/^hascolumnintable$/, 'SELECT name FROM system.columns has the columns'],
  [/^formatrow|^groupformat/, 'toJSONString, or FORMAT behind the statement'],
  [/^stochastic|^naivebayes|^catboost|^evalmlmethod/, "simpleLinearRegression, or a model of Weir's (POST /ml/train)"],
  [
    /^(hostname|fullhostname|fqdn|tcpport|uptime|serveruuid|buildid)$/,
    'of the machine version() and timezone() are told',
  ],
  [/^(file|url|s3|remote)/, 'a statement reads the tables of Weir alone'],
  [/^sleep/, 'no statement waits'],
]

function refused(name: string): StatementRefusal {
  const instead = insteads.find(([pattern]) => pattern.test(name.toLowerCase()))?.[1]
  return denied(`the function ${name} is not for analysts${instead === undefined ? '' : `: ${instead}`}`)
}

const sorted = (name: string): string => [...name.toLowerCase()].sort().join('')

function unknown(known: ReadonlySet<string>, name: string): StatementRefusal {
  const begin = name.slice(0, 1).toLowerCase()
  const letters = sorted(name)
  const near = functionNames
    .filter((each) => each.toLowerCase().startsWith(begin) && known.has(each.toLowerCase()))
    // Two letters that changed places are the likelier slip.
    .sort((a, b) => Number(sorted(b) === letters) - Number(sorted(a) === letters))
  const shorter = withoutCombinator(name)
  const meant = suggest(name, near) ?? (shorter === undefined ? undefined : suggest(shorter, near))
  return new StatementRefusal(
    46,
    'UNKNOWN_FUNCTION',
    `Unknown function ${name}${meant === undefined ? ': this ClickHouse has none of that name' : `; did you mean ${meant}?`}`,
  )
}

/**
 * The names that a statement gives to lambdas. A name of ClickHouse's own is none of them: it may mean ClickHouse's where the
 * lambda is out of sight.
 */
export function lambdasIn(tokens: readonly Token[], known?: ReadonlySet<string>): ReadonlySet<string> {
  const names = new Set<string>()
  if (known === undefined) return names
  for (const name of lambdaAliases(tokens)) {
    if (isKnown(known, name) || isAllowedFunction(name)) continue
    if (!keywords.has(name.toLowerCase()) && !tableFunctions.has(name.toLowerCase())) names.add(name)
  }
  return names
}

/** The aliases of expressions behind an arrow: the first that stands between the same parentheses, before a comma, SELECT or FROM. */
function lambdaAliases(tokens: readonly Token[]): readonly string[] {
  const aliases: string[] = []
  /** For each parenthesis that is open, and for the whole, whether an arrow waits for its alias. */
  const waiting = [false]
  const wait = (is: boolean): void => {
    waiting[waiting.length - 1] = is
  }
  tokens.forEach((token, i) => {
    if (token.kind === 'symbol' && '([{'.includes(token.text)) waiting.push(false)
    else if (token.kind === 'symbol' && ')]}'.includes(token.text)) {
      if (waiting.length > 1) waiting.pop()
      else wait(false)
    } else if (isSymbol(token, '->')) wait(true)
    else if (isSymbol(token, ',') || isWord(token, 'SELECT', 'FROM')) wait(false)
    else if (waiting.at(-1) && isWord(token, 'AS')) {
      const name = tokens[i + 1]
      if (name?.kind !== 'word' && name?.kind !== 'quoted') return
      aliases.push(name.name)
      wait(false)
    }
  })
  return aliases
}
