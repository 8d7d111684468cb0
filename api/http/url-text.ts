import type { Context } from 'koa'
import { fault } from '../../base/faults.ts'

/** A percent-encoded part of a URL as text, decoded once. */
export function decodeUrl(raw: string, what: string): string {
  try {
    return decodeURIComponent(raw)
  } catch {
    throw fault('invalid', `${what} must be percent-encoded UTF-8`)
  }
}

/** A member of the query, in which "+" is a blank; undefined where it is absent. */
export function queryText({ querystring }: Context, name: string): string | undefined {
  decodeUrl(querystring, 'the query')
  const values = new URLSearchParams(querystring).getAll(name)
  if (values.length > 1) throw fault('invalid', `${name}: send one`)
  return values[0]
}
