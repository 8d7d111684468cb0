/** A part of a table: rows of its inserts from `min` to `max`, as ClickHouse numbers them within a partition. */
export type Part = {
  readonly partition: string
  readonly min: number
  readonly max: number
  readonly rows: number
  /** When all of its rows have expired, in seconds; 0 where they never do. */
  readonly ends_s: number
}

/** By the folder of a table: its name, and the parts that it has. */
export type PartsOfTables = Readonly<Record<string, { readonly name: string; readonly parts: readonly Part[] }>>

export type Lost = {
  readonly folder: string
  readonly table: string
  readonly parts: readonly Part[]
  readonly rows: number
}

/**
 * The parts that were there and that nothing stands in for: no part that they were merged or mutated into (it has no row
 * where all of theirs were deleted), and not the parts that they were merged from, which ClickHouse keeps for some minutes.
 * Tables that are gone were dropped.
 */
export function lostParts(before: PartsOfTables, now: PartsOfTables, now_s: number): Lost[] {
  return Object.entries(before).flatMap(([folder, { parts: had }]) => {
    const table = now[folder]
    if (!table) return []
    const parts = had.filter((part) => !hasExpired(part, now_s) && !isThere(part, table.parts))
    const rows = parts.reduce((sum, part) => sum + part.rows, 0)
    return parts.length === 0 ? [] : [{ folder, table: table.name, parts, rows }]
  })
}

const hasExpired = ({ ends_s }: Part, now_s: number): boolean => ends_s > 0 && ends_s <= now_s

function isThere({ partition, min, max, rows }: Part, present: readonly Part[]): boolean {
  let found = 0
  for (const part of present) {
    if (part.partition !== partition) continue
    if (part.min <= min && part.max >= max) return true
    if (part.min >= min && part.max <= max) found += part.rows
  }
  return found >= rows
}
