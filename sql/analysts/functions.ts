import { aggregates, collections, places } from './functions/collections.ts'
import { aliases, others } from './functions/others.ts'
import { conversions, numbers, texts, times } from './functions/values.ts'
import { spelledCalls, types } from './words.ts'

const families = [numbers, times, conversions, texts, aggregates, collections, places, others, aliases]
/** The functions for analysts, as ClickHouse spells them. */
export const functionNames: readonly string[] = families.flatMap((family) => family.trim().split(/\s+/))
const named = functionNames.map((name) => name.toLowerCase())
const allowed: ReadonlySet<string> = new Set([...named, ...spelledCalls, ...types])

/** `sumIf`, `uniqStateForEach`: an aggregate's name may go on with these. */
const combinator =
  /(?:SimpleState|OrDefault|Distinct|Resample|ForEach|ArgMax|ArgMin|OrNull|Tuple|Merge|State|Array|Null|Map|If)$/i

/** Characters of a name that may end in combinators: they are taken away one by one. */
const maxName = 200

/** The name without the last of its combinators; undefined where it has none. */
export const withoutCombinator = (name: string): string | undefined =>
  name.length <= maxName && combinator.test(name) ? name.replace(combinator, '') : undefined

/**
 * Whether analysts may call it. A list of allowed functions and not of refused ones: ClickHouse gains functions with
 * every version, and some of them read files, ask models or reach the network.
 */
export function isAllowedFunction(name: string): boolean {
  const base = name.toLowerCase()
  const shorter = withoutCombinator(base)
  return allowed.has(base) || (shorter !== undefined && isAllowedFunction(shorter))
}

const written: ReadonlySet<string> = new Set(
  '_cast casewithexpression exists grouping lambda notmatch trycast untuple'.split(' '),
)

/** Whether ClickHouse calls it for text that is written in another way: CASE, `->`, a bound parameter. */
export const isWrittenFunction = (name: string): boolean => written.has(name.toLowerCase())
