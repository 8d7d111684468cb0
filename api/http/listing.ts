import type { Context } from 'koa'
import { z } from 'zod'
import { createOpaqueCursors } from '../../activities/pages/opaque-cursors.ts'
import { wholeNumber } from '../../base/decode/values.ts'
import { fault } from '../../base/faults.ts'
import { isObject, type Json, parseJson, writeJson } from '../../base/json.ts'
import { callerIn } from '../auth/permit.ts'
import { type Listing, parameter } from './call.ts'
import { queryText } from './url-text.ts'

const usual = 100
const usualMax = 1_000

/** The parameters of a list. */
export const pages = (max = usualMax) => ({
  limit: parameter(
    'a page of so many items; absent: all of them, or of a list that has one its usual number',
    z.string().meta({ type: 'integer', minimum: 1, maximum: max }).optional(),
  ),
  cursor: parameter('of the page before: goes on behind it', z.string().optional()),
})

/** The cursor of a page behind which items remain. */
export const nextCursor = z.string().optional()

/** A list shows its caller nothing that it may not see, so this is a checksum and keeps no secret. */
const cursors = createOpaqueCursors('lists of the API')

export type Paging = {
  readonly limit: number
  /** The last item of the page before: its key, and its place in the list. */
  readonly after?: { readonly key: string; readonly place: number }
}

const subjectOf = (context: Context, about: string) => ({
  about: `${context.path}\n${about}`,
  caller: callerIn(context).by,
})

/** The page that a request asks for; undefined for one that asks for none. `about`: what else the list is of. */
export function pagingOf(context: Context, { max = usualMax }: Pick<Listing, 'max'>, about = ''): Paging | undefined {
  const [asked, cursor] = [queryText(context, 'limit'), queryText(context, 'cursor')]
  if (asked === undefined && cursor === undefined) return undefined
  const limit = wholeNumber(1, max).safeParse(asked ?? Math.min(usual, max))
  if (!limit.success) throw fault('invalid', `limit: ${limit.error.issues.map(({ message }) => message).join('; ')}`)
  if (cursor === undefined) return { limit: limit.data }
  const [key = '', place = '0'] = cursors.open(subjectOf(context, about), cursor)
  return { limit: limit.data, after: { key, place: Number(place) } }
}

/** The cursor behind an item. */
export const cursorBehind = (context: Context, key: string, place: number, about = ''): string =>
  cursors.seal(subjectOf(context, about), [key, String(place)])

function keyOf(item: Json, key: readonly string[] | undefined): string {
  if (!isObject(item)) return String(item)
  return key ? key.map((name) => String(item[name] ?? '')).join('\n') : (Object.keys(item)[0] ?? '')
}

/** Cuts the list of an answer to the page that was asked for. */
export function pageBody(context: Context, listing: Listing, { limit, after }: Paging): void {
  const body = typeof context.body === 'string' ? parseJson(context.body, 'the answer') : (context.body as Json)
  if (!isObject(body)) return
  const list = body[listing.member]
  if (!Array.isArray(list)) return // A record of a table that is called as the list is.
  const start = startOf(list, listing, after)
  const shown = list.slice(start, start + limit)
  const last = shown.at(-1)
  const more = start + limit < list.length && last !== undefined
  const { counter } = listing
  context.type = 'application/json'
  context.body = writeJson({
    ...body,
    [listing.member]: shown,
    ...(counter !== undefined && { [counter]: shown.length }),
    ...('more_data_to_come' in body && { more_data_to_come: more ? 1 : 0 }),
    ...(more && { cursor: cursorBehind(context, keyOf(last, listing.key), start + limit - 1) }),
  })
}

/** The place in a list at which a page of it begins. */
export function startOf(
  list: readonly Json[],
  { key, order }: Pick<Listing, 'key' | 'order'>,
  after: Paging['after'],
): number {
  if (after === undefined) return 0
  const found = list.findIndex((item) => keyOf(item, key) === after.key)
  if (found >= 0) return found + 1
  // The last item has gone, and those behind it have moved up by one.
  if (order === undefined) return Math.min(after.place, list.length)
  const behind = list.findIndex((item) =>
    order === 'up' ? keyOf(item, key) > after.key : keyOf(item, key) < after.key,
  )
  return behind < 0 ? list.length : behind
}
