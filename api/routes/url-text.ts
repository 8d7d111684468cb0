import { isUtf8 } from 'node:buffer'
import type { Context } from 'koa'
import { fault } from '../../infra/faults.ts'

/**
 * A percent-encoded part of a URL as text, decoded once. Node gives a URL's bytes as Latin-1, and some clients send
 * UTF-8 as it is.
 */
export function decodeUrl(raw: string, what: string): string {
  const bytes = Buffer.from(raw, 'latin1')
  try {
    if (isUtf8(bytes)) return decodeURIComponent(bytes.toString())
  } catch {}
  throw fault('invalid', `${what} must be percent-encoded UTF-8`)
}

/** A member of the query, in which "+" is a blank; undefined where it is absent. */
export function queryText({ querystring }: Context, name: string): string | undefined {
  decodeUrl(querystring, 'the query')
  const values = new URLSearchParams(Buffer.from(querystring, 'latin1').toString()).getAll(name)
  if (values.length > 1) throw fault('invalid', `${name}: send one`)
  return values[0]
}
