import { readFileSync } from 'node:fs'

const lines = (name: string): string[] =>
  readFileSync(new URL(name, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))

/** Statements that analysts may ask; each runs on the tables of test/support/analysts.ts. */
export const acceptedStatements = (): string[] => lines('accepted.sql')

export type RefusedStatement = { readonly statement: string; readonly reason: string }

export const refusedStatements = (): RefusedStatement[] =>
  lines('refused.txt').map((line) => {
    const [written = '', reason = ''] = line.split(' => ')
    const statement = written.replace(/\\(n|t|\\)/g, (_, letter) => ({ n: '\n', t: '\t' })[String(letter)] ?? '\\')
    return { statement, reason }
  })
