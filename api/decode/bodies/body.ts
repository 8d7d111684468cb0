import type { Context } from 'koa'
import { utf8 } from '../../../infra/json.ts'
import { readBody } from './read-body.ts'

/** Reads a request's body as text, unpacked. `limit` in bytes. */
export async function readText({ req, res, state }: Context, limit: number, what: string): Promise<string> {
  if (!state.body) throw new Error('no middleware has opened a hold for the body')
  try {
    return utf8(await readBody(req, { limit, hold: state.body }), what)
  } finally {
    // A connection with an unread rest of a body on it cannot be used again.
    if (!req.complete) res.setHeader('Connection', 'close')
  }
}
