import type { Context } from 'koa'

/** Whether a client asks for one of these media types by its name. */
export const accepts = ({ req: { headers } }: Pick<Context, 'req'>, ...types: readonly string[]): boolean =>
  (headers.accept ?? '').split(',').some((each) => types.includes(each.split(';')[0]?.trim().toLowerCase() ?? ''))

/** Whether a client asks for a row a line. */
export const wantsLines = (context: Pick<Context, 'req'>): boolean =>
  accepts(context, linesType, 'application/ndjson', 'application/jsonl')

export const linesType = 'application/x-ndjson'
