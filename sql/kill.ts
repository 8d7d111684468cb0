import { literal } from './literal.ts'

/** Ends the statements that run under `comment`; answers a row for each such statement. */
export const killStatement = (comment: string): string =>
  `KILL QUERY WHERE Settings['log_comment'] = ${literal(comment, 'String')} ASYNC`
