import { type ClickHouse, ClickHouseError } from '../../../infra/clickhouse/clickhouse.ts'
import type { SqlStatement } from '../../../sql/statement.ts'

/** Statements that a service runs by itself, at a time of its own. */
const untold = /^(OPTIMIZE|SYSTEM (STOP|START) MERGES) /

/** A ClickHouse in which statements that change something fail when told to; reads and the feeding of events do not. */
export function breakableClickHouse() {
  let left = Number.POSITIVE_INFINITY
  let lasting = false
  let spared: RegExp | undefined
  let lost: ((statement: SqlStatement) => boolean) | undefined
  let counted = 0
  let part: ClickHouse | undefined

  const wrap = (real: ClickHouse): ClickHouse => {
    part = real
    return {
      ...real,
      run: async (statement) => {
        const text = typeof statement === 'string' ? statement : statement.text
        if (untold.test(text)) return real.run(statement)
        const isSpared = spared?.test(text) ?? false
        const isFault = !isSpared && (left === 0 || (lasting && left < 0))
        left--
        counted++
        if (isFault) throw new ClickHouseError(999, 'it fails here')
        await real.run(statement)
        if (typeof statement === 'string' || !lost?.(statement)) return
        lost = undefined
        throw new ClickHouseError(210, 'the answer is lost')
      },
    }
  }

  return {
    wrap,
    /** The one that was wrapped last. */
    real: (): ClickHouse => {
      if (part) return part
      throw new Error('no service has been started')
    },
    /** The statement after `number` more fails, and where it is `lasting` all that follow. */
    failAt(number: number, options: { readonly lasting?: boolean } = {}): void {
      left = number
      lasting = options.lasting ?? false
    },
    /** Statements that do not fail, whatever the others do. */
    sparing(statements: RegExp): void {
      spared = statements
    },
    /** The next statement of which this is true is done, and its answer lost. */
    loseAnswer(isIt: (statement: SqlStatement) => boolean): void {
      lost = isIt
    },
    heal(): void {
      left = Number.POSITIVE_INFINITY
      spared = undefined
    },
    /** How many statements `work` takes. */
    async count(work: () => Promise<unknown>): Promise<number> {
      const before = counted
      await work()
      return counted - before
    },
  }
}
