import { z } from 'zod'
import { keyOnWire } from '../../activities/keys/decode-key.ts'
import { tokenOnWire } from '../../activities/keys/page-tokens.ts'
import { scopes } from '../../activities/keys/scopes.ts'
import { anyObject, type Call, count, instant, json, notes, success } from '../http/call.ts'
import { nextCursor, pages } from '../http/listing.ts'

export const makeKey: Call = {
  id: 'makeKey',
  group: 'keys',
  summary: 'Makes a key, which is shown this once',
  body: { contents: [json(keyOnWire)] },
  answers: [json(z.object({ errcode: success, id: z.string(), key: z.string(), error: notes }))],
}

export const makeToken: Call = {
  id: 'makeToken',
  group: 'saved',
  summary: 'Makes a short-lived token by which a page asks one saved question, with values that the page cannot change',
  body: { contents: [json(tokenOnWire)] },
  answers: [json(z.object({ errcode: success, token: z.string(), expires: instant, error: notes }))],
  refuses: ['missing'],
}

export const listKeys: Call = {
  id: 'listKeys',
  group: 'keys',
  summary: 'The keys that are good, without their secrets',
  query: pages(),
  list: { member: 'keys', key: ['id'] },
  answers: [
    json(
      z.object({
        cursor: nextCursor,
        keys: z.array(
          z.object({
            id: z.string(),
            name: z.string(),
            scopes: z.array(z.enum(scopes)),
            on: z.array(z.string()).nullable(),
            created: instant,
            last_used: instant.nullable(),
            expires: instant.nullable(),
            fixed: anyObject.optional(),
            rate: count.optional(),
          }),
        ),
        num_keys: count,
      }),
    ),
  ],
}

export const revokeKey: Call = {
  id: 'revokeKey',
  group: 'keys',
  summary: 'Revokes a key, in every process within a second',
  answers: [json(z.object({ errcode: success }))],
}

export const listChanges: Call = {
  id: 'listChanges',
  group: 'keys',
  summary: 'The changes with their authors, newest first',
  query: pages(10_000),
  list: { member: 'changes', key: ['ts'], order: 'down', counter: 'num_changes', max: 10_000 },
  answers: [
    json(
      z.object({
        cursor: nextCursor,
        changes: z.array(
          z.object({ ts: instant, by: z.string(), what: z.string(), name: z.string(), detail: z.string() }),
        ),
        num_changes: count,
      }),
    ),
  ],
}
