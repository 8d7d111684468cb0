/** A question as it would have been asked at an earlier time: its `now()` is that time, and it sees the events up to then. */
import { Refusal } from '../../base/refusal.ts'
import { isSymbol } from '../analysts/clauses.ts'
import { written } from '../analysts/filters.ts'
import { type Token, tokenize } from '../analysts/lexer.ts'

const seconds = (at_us: number): string => `toDateTime(${Math.floor(at_us / 1_000_000)}`
const day = (at_us: number): string => `toDate(${seconds(at_us)}))`

/** The present by each of its names, for the arguments that stand in the brackets. */
const presents: Readonly<Record<string, (at_us: number, given: string) => string>> = {
  now: (at_us, zone) => `${seconds(at_us)}${zone === '' ? '' : `, ${zone}`})`,
  current_timestamp: (at_us, zone) => presents.now?.(at_us, zone) ?? '',
  utctimestamp: (at_us) => `${seconds(at_us)}, 'UTC')`,
  utc_timestamp: (at_us) => `${seconds(at_us)}, 'UTC')`,
  now64: (at_us, given) => `toDateTime64(fromUnixTimestamp64Micro(${Math.floor(at_us)}), ${given === '' ? 3 : given})`,
  today: day,
  curdate: day,
  current_date: day,
  yesterday: (at_us) => `(${day(at_us)} - 1)`,
}

/** Of a present that is another one for each block of rows. */
const refused = new Set(['nowinblock', 'now64inblock'])

const maxGiven = 20

/** The text of the question at `at_us`. Throws a `Refusal` where its present cannot be turned. */
export function turnedTo(sql: string, at_us: number): string {
  const tokens = tokenize(sql)
  const pieces: Token[] = []
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]
    if (token === undefined) break
    const name = token.kind === 'word' ? token.name.toLowerCase() : ''
    const present = Object.hasOwn(presents, name) ? presents[name] : undefined
    const isCall = isSymbol(tokens[at + 1], '(')
    if (refused.has(name)) throw new Refusal(`sql: ${token.name} cannot be turned to another time; write now()`)
    if (!present || !isCall) {
      pieces.push(token)
      continue
    }
    const given = tokens.slice(at + 2, at + 2 + maxGiven)
    const end = given.findIndex((each) => isSymbol(each, ')'))
    if (end < 0 || given.slice(0, end).some((each) => isSymbol(each, '(')))
      throw new Refusal(`sql: ${token.name} with such arguments cannot be turned to another time`)
    pieces.push({ ...token, text: present(at_us, written(given.slice(0, end))) })
    at += end + 2
  }
  return written(pieces)
}

export type TurnedTables = {
  /** The value of `additional_table_filters`. */
  readonly filters: string
  /** Streams, and views of them, of which a question sees the events up to a time. */
  readonly turned: readonly string[]
}

/** The end of the name of a view of intervals, behind the stream and `_by_`; no stream's own name goes on so. */
const ofIntervals = /^\d+s(_states)?(__|$)/

/** Filters of the streams of events, and of the views of their intervals, that the text may name. */
export function filtersAt(
  sql: string,
  streams: readonly { readonly schema: string; readonly stream: string }[],
  at_us: number,
): TurnedTables {
  const words = new Set(tokenize(sql).map(({ name }) => name))
  const filters: [table: string, condition: string][] = []
  for (const { schema, stream } of streams) {
    if (words.has(stream)) filters.push([`${schema}.${stream}`, `_pk <= ${at_us}`])
    for (const word of words)
      if (word.startsWith(`${stream}_by_`) && ofIntervals.test(word.slice(`${stream}_by_`.length)))
        filters.push([`${schema}.${word}`, `toUnixTimestamp(interval_start) < ${Math.ceil(at_us / 1_000_000)}`])
  }
  const entries = filters.map(([table, condition]) => `'${table}': '${condition}'`)
  return { filters: entries.length > 0 ? `{${entries.join(', ')}}` : '', turned: filters.map(([table]) => table) }
}
