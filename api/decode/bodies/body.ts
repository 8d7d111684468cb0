import type { Context } from 'koa'
import { utf8, utf8Lines } from '../../../infra/json.ts'
import { readBody } from './read-body.ts'

/** Reads a request's body as text, unpacked. `limit` in bytes. */
export const readText = (context: Context, limit: number, what: string): Promise<string> =>
  readAs(context, limit, (body) => utf8(body, what))

/** The same of a body of lines, of which a broken one is refused alone: it comes as `brokenLine`. */
export const readLines = (context: Context, limit: number): Promise<string> => readAs(context, limit, utf8Lines)

async function readAs(
  { req, res, state }: Context,
  limit: number,
  read: (body: Buffer) => string | Promise<string>,
): Promise<string> {
  if (!state.body) throw new Error('no middleware has opened a hold for the body')
  try {
    return await read(await readBody(req, { limit, hold: state.body }))
  } finally {
    // A connection with an unread rest of a body on it cannot be used again.
    if (!req.complete) res.setHeader('Connection', 'close')
  }
}
