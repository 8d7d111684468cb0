import type { Context } from 'koa'
import { utf8 } from '../../base/json.ts'
import { readBody } from './read-body.ts'

/** Reads a request's body as text, unpacked. `limit` in bytes. */
export async function readText(context: Context, limit: number, what: string): Promise<string> {
  return utf8(await readBytes(context, limit), what)
}

/** The same as bytes. */
export async function readBytes({ req, res, state }: Context, limit: number): Promise<Buffer> {
  if (!state.body) throw new Error('no middleware has opened a hold for the body')
  try {
    return await readBody(req, { limit, hold: state.body })
  } finally {
    // A connection with an unread rest of a body on it cannot be used again.
    if (!req.complete) res.setHeader('Connection', 'close')
  }
}
