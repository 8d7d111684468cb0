import type { SqlAnswer, SqlSummary } from '../analysts/sql-runner.ts'

export const emptySummary: SqlSummary = { resultRows: 0, resultBytes: 0, elapsed_ns: 0 }

/** An answer of these bytes. */
export const wholeAnswer = (format: string, bytes: Uint8Array): SqlAnswer => ({
  format,
  output: (async function* () {
    yield bytes
  })(),
  summary: () => emptySummary,
})
