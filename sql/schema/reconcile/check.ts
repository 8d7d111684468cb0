import type { Stream } from '../schema.ts'

/** The facts beside a schema that say what its tables ought to hold. */
export type Facts = {
  readonly now_us: number
  /** Compares only keys that events from here on have touched. */
  readonly since_us?: number | undefined
  /** When the schema was last changed, or held still: filters copy later events by its present words. */
  readonly changed_us: number
  /** When streams were last turned ON or OFF; others have always been ON. */
  readonly switched_us: ReadonlyMap<string, number>
  /** Streams of which events, or rows of an entity, were erased: statistics went on counting them. */
  readonly erased: ReadonlyMap<string, ErasedFacts>
  /** Streams whose window was changed, so that events may be gone that it would have kept. */
  readonly rewindowed: ReadonlySet<string>
}

export type ErasedFacts = {
  /** The greatest `_pk` of an event that is gone and still counts, as text. */
  readonly until_us?: string
  readonly seq?: number
  readonly rows?: true
}

/** Compares one table with the events that it was made from. Wrong rows come by their keys, `_k0`, `_k1`, ... */
export type Check = {
  readonly stream: string
  readonly table: string
  /** Streams whose events it compares with. */
  readonly reads: readonly string[]
  /** Whether a repair changes the stream's events, and so the events that other checks compare with. */
  readonly bringsEvents: boolean
  /** The types of the keys. */
  readonly keys: readonly string[]
  /** One row, `checked`: how many keys there are. */
  readonly count: string
  /** Rows of keys that are wrong, with a `_difference`; `among` (quoted) is a table of the keys to look at. */
  find(among?: string): string
  /** Whether a `_difference` says by how many values each figure holds more than the events give. */
  readonly isOfCounts?: true
  /** Repairs the keys that `touched` (quoted) lists; `aside` (quoted) is the name of a table that it may make. */
  repair(touched: string, aside: string): string[]
}

/** One row, `lowered`: of the keys in `among`, how many a repair would lower. */
export const compileLowered = ({ find }: Pick<Check, 'find'>, among: string): string =>
  `SELECT countIf(arrayExists(each -> each > 0, _difference)) AS lowered FROM (${find(among)})`

/** The keys of a check, in its rows. */
export const keyColumns = ({ keys }: Pick<Check, 'keys'>): string[] => keys.map((_, index) => `_k${index}`)

export const tupleOf = (items: readonly string[]): string =>
  items.length === 1 ? (items[0] ?? '') : `(${items.join(', ')})`

export const allOf = (conditions: readonly string[]): string =>
  conditions.length === 0 ? 'true' : conditions.join(' AND ')

/** Whether `expressions` are among the keys of a table; where the statement is no query, it runs on each node by itself. */
export const isAmong = (
  expressions: readonly string[],
  table: string,
  within: 'query' | 'mutation' = 'query',
): string =>
  `${tupleOf(expressions)} ${within === 'query' ? 'GLOBAL IN' : 'IN'} (SELECT ${expressions.map((_, index) => `_k${index}`).join(', ')} FROM ${table})`

/** A difference that one pass does not find is found in the next. */
const maxTouched = 1_000_000
export const findEnd = (settings: readonly string[] = []): string =>
  `LIMIT ${maxTouched} SETTINGS ${['max_bytes_before_external_group_by = 2000000000', ...settings].join(', ')}`

/** From a repaired table's own past: a block that looks like an earlier one is none of its repeats. */
export const asNew = 'SETTINGS insert_deduplicate = 0, max_partitions_per_insert_block = 0'

const [shortestMargin_s, longestMargin_s] = [60, 3600]

/** The earliest time that the window keeps for as long as a check and its repair run; undefined where it keeps everything. */
export const keptSince = (window: number, now_us: number): number | undefined =>
  window === 0
    ? undefined
    : Math.ceil(now_us + 1e6 * (Math.max(shortestMargin_s, Math.min(window / 8, longestMargin_s)) - window))

export const latestOf = (...bounds: readonly (number | undefined)[]): number | undefined => {
  const given = bounds.filter((bound) => bound !== undefined)
  return given.length === 0 ? undefined : Math.max(...given)
}

export const atLeast = (column: string, bound: number | undefined): string[] =>
  bound === undefined ? [] : [`${column} >= ${Math.max(0, Math.floor(bound))}`]

/** From when on a stream's events are compared. */
export const comparedSince = (stream: Stream, { now_us, since_us }: Facts): number | undefined =>
  latestOf(keptSince(stream.window, now_us), since_us)

/** The greatest `_pk` of an erased event of these streams that aggregates still count; undefined where they count none. */
export const erasedUntil = (streams: readonly Stream[], { erased }: Facts): bigint | undefined =>
  streams
    .flatMap(({ name }) => erased.get(name)?.until_us ?? [])
    .map(BigInt)
    .reduce<bigint | undefined>((latest, each) => (latest === undefined || each > latest ? each : latest), undefined)

/** Whether all events that a stream's window keeps are there. */
export const isComplete = ({ name }: Stream, { rewindowed }: Facts): boolean => !rewindowed.has(name)
