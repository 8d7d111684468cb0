import type { Token } from './lexer.ts'

/**
 * ClickHouse 26.7 takes `t > T` for `t >= T + 1 s`, and `t < T` for `t <= T - 1 s`, where t is a DateTime64 such as `_time`
 * and T a DateTime (`now()`, `toDateTime(...)`, a parameter) or a number, when it leaves out parts by their key or their
 * statistics: events within that second are lost. Of a statement that may compare so no part is left out.
 */
export const withAllParts = {
  use_primary_key: 0,
  use_statistics_for_part_pruning: 0,
  use_query_condition_cache: 0,
} as const

const arithmetic = new Set(['+', '-', '*', '/', '%'])

/** Whether a statement may compare `_time` with whole seconds. Texts are read as DateTime64, and compared rightly. */
export const mayCompareSeconds = (tokens: readonly Token[]): boolean =>
  tokens.some((token) => token.name === '_time') && tokens.some((_, at) => isDoubtful(tokens, at))

function isDoubtful(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at]
  if (token?.kind !== 'symbol' || (token.text !== '>' && token.text !== '<')) return false
  const [before, next, behind] = [tokens[at - 1], tokens[at + 1], tokens[at + 2]]
  if (behind?.kind === 'symbol' && arithmetic.has(behind.text)) return true
  if (next?.kind === 'string') return false
  return next?.kind !== 'number' || before?.name === '_time'
}
