import type { ClickHouse, Question } from '../clickhouse/clickhouse.ts'

const text = (statement: Question | string): string => (typeof statement === 'string' ? statement : statement.text)

/** Merges change no row. */
const isMerge = (statement: string): boolean => /^\s*(OPTIMIZE|SYSTEM)\b/i.test(statement)
/** A mutation changes rows, not the definition of a table. */
const isDefinition = (statement: string): boolean =>
  /^\s*(CREATE|DROP|RENAME|EXCHANGE|TRUNCATE|ATTACH|DETACH|UNDROP)\b/i.test(statement) ||
  (/^\s*ALTER\b/i.test(statement) && !(/\b(UPDATE|DELETE)\b/i.test(statement) && /\bWHERE\b/i.test(statement)))

/**
 * Counts what changes beside events, which come by the log: records, definitions, objects. A copy that has all of a count is
 * as fresh as can be.
 */
export function createChanges() {
  let count = 0
  let definitions = 0
  let onReshape: () => Promise<void> = async () => {}

  return {
    count: (): number => count,
    /** Changes of definitions alone: events behind one fit no copy of before it. */
    definitions: (): number => definitions,
    note: (): void => {
      count++
    },
    /** `reshaped` is awaited before the definition of a table changes. */
    onReshape: (listener: () => Promise<void>): void => {
      onReshape = listener
    },
    /** Notes what is written by this connection, which is not the feeder's. */
    noting: (clickhouse: ClickHouse): ClickHouse => ({
      ...clickhouse,
      async run(statement) {
        const its = text(statement)
        if (!isMerge(its)) {
          if (isDefinition(its)) {
            definitions++
            await onReshape()
          }
          count++
        }
        await clickhouse.run(statement).finally(() => {
          if (!isMerge(its)) count++
        })
      },
      async insert(insertion) {
        count++
        await clickhouse.insert(insertion).finally(() => {
          count++
        })
      },
    }),
  }
}

export type Changes = ReturnType<typeof createChanges>
