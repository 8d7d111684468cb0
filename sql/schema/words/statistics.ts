/** The statistics that are kept, in words: `[summary, p50, p95, last, top20]`. On the wire levels and number stand beside. */
import { isObject, type Json } from '../../../base/json.ts'
import { quoted } from '../../../base/quoted.ts'
import { hint } from '../../../base/suggest.ts'
import { decodeCode, optionalStatistics } from '../codes.ts'
import type { StatisticKind } from '../schema.ts'
import { quantileMember } from '../statistics/quantile-member.ts'
import { isAbsent, type Member } from './codec.ts'

export const statisticWords = {
  COUNT: 'count',
  UCOUNT: 'distinct',
  RSTAT: 'summary',
  QUANTILES: 'quantiles',
  LAST: 'last',
  FIRST: 'first',
  TOPK: 'top',
} as const satisfies Readonly<Record<StatisticKind, string>>

const kinds = new Map<string, StatisticKind>(
  (Object.entries(statisticWords) as [StatisticKind, string][]).map(([kind, word]) => [word, kind]),
)
const known = [...kinds.keys(), 'p50', 'p95', 'top20']

/** The level of a quantile's word: 0.999 of `p99_9`. */
function levelOf(word: string): number | undefined {
  const percent = /^p(\d{1,2}(?:_\d{1,4})?)$/.exec(word)?.[1]
  const level = percent === undefined ? undefined : Number((Number(percent.replace('_', '.')) / 100).toFixed(6))
  return level !== undefined && level > 0 && quantileMember(level) === word ? level : undefined
}

/** The number of values in a word of TOPK: 20 of `top20`. */
function topOf(word: string): number | undefined {
  const digits = /^top([1-9]\d{0,2})$/.exec(word)?.[1]
  return digits === undefined || Number(digits) > 100 ? undefined : Number(digits)
}

/** The words of `stat`, `q` and `k`; undefined where words cannot say them. */
function wordsOf(stat: Json, levels: Json | undefined, top: Json | undefined): readonly string[] | undefined {
  const list = Array.isArray(stat) ? stat : [stat]
  const words: string[] = []
  for (const each of list) {
    const code = decodeCode(optionalStatistics, each)
    if (!('name' in code)) return undefined
    if (code.name === 'NONE') continue
    if (code.name === 'TOPK' && !isAbsent(top)) words.push(`top${String(top)}`)
    else if (code.name !== 'QUANTILES' || isAbsent(levels)) words.push(statisticWords[code.name])
    else if (!Array.isArray(levels)) return undefined
    else words.push(...levels.map((level) => (typeof level === 'number' ? quantileMember(level) : '')))
  }
  const isSayable = words.every((word) => kinds.has(word) || levelOf(word) !== undefined || topOf(word) !== undefined)
  return isSayable && (words.length > 0 || !Array.isArray(stat)) ? words : undefined
}

/** The member that says which statistics are kept: of an entity `opid`. */
export const stats = (wireName: 'stat' | 'opid', says: string): Member => ({
  word: 'stats',
  wire: [wireName, 'q', 'k'],
  says: `${says}: count, distinct (how many different values), summary (count, sum, min, max, avg, deviation, skewness, kurtosis), p50, p95 and other quantiles (quantiles: p50, p90, p95, p99), last, first, top (the 10 most frequent values), top20`,
  example: ['summary', 'p95'],
  schema: {
    type: 'array',
    items: {
      anyOf: [
        { enum: [...kinds.keys(), 'p50', 'p90', 'p95', 'p99'] },
        { type: 'string', pattern: '^p\\d{1,2}(_\\d{1,4})?$' },
        { type: 'string', pattern: '^top([1-9]\\d?|100)$' },
      ],
    },
    minItems: 1,
  },
  write(words, at, to, out) {
    const list = typeof words === 'string' ? [words] : words
    if (!Array.isArray(list) || list.length === 0) {
      to.fail(at, 'must be a list of statistics, such as [summary, p95]')
      return
    }
    const names: StatisticKind[] = []
    const levels: number[] = []
    const tops: number[] = []
    for (const [index, word] of list.entries()) {
      const level = typeof word === 'string' ? levelOf(word) : undefined
      const top = typeof word === 'string' ? topOf(word) : undefined
      if (level !== undefined) levels.push(level)
      if (top !== undefined) tops.push(top)
      const kind = typeof word === 'string' ? kinds.get(word) : undefined
      const name = level !== undefined ? 'QUANTILES' : top !== undefined ? 'TOPK' : kind
      if (name === undefined) {
        const given = typeof word === 'string' ? quoted(word) : isObject(word) ? 'an object' : String(word)
        to.fail([...at, index], `${given} is no statistic${hint(typeof word === 'string' ? word : '', known)}`)
        return
      }
      if (name === 'QUANTILES' && level !== undefined && names.includes(name)) continue
      names.push(name)
    }
    if (levels.length > 0 && list.includes('quantiles')) {
      to.fail(at, 'quantiles are p50, p90, p95 and p99, and stand beside no others: name each')
      return
    }
    if (names.filter((name) => name === 'TOPK').length > 1) {
      to.fail(at, 'the most frequent values are kept once: name the greatest number of them, such as top20')
      return
    }
    const [only, ...more] = names
    out[wireName] = more.length === 0 && only !== undefined ? only : names
    to.link(out, wireName, at)
    if (levels.length > 0) {
      out.q = levels
      to.link(out, 'q', at)
    }
    const [top] = tops
    if (top === undefined) return
    out.k = top
    to.link(out, 'k', at)
  },
  read(wire) {
    const stat = wire[wireName]
    if (stat === undefined || stat === null) return { taken: [wireName] }
    const words = wordsOf(stat, wire.q, wire.k)
    if (words === undefined) return undefined
    const taken = [
      wireName,
      ...(words.some((word) => levelOf(word) !== undefined) ? ['q'] : []),
      ...(words.some((word) => topOf(word) !== undefined) ? ['k'] : []),
    ]
    return { taken, ...(words.length > 0 && { words: [...words] }) }
  },
})
