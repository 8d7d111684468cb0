import { z } from 'zod'
import { keyOnWire } from '../../activities/keys/decode-key.ts'
import { scopes } from '../../activities/keys/scopes.ts'
import { type Call, count, instant, json, notes, parameter, success } from '../http/call.ts'

export const makeKey: Call = {
  id: 'makeKey',
  group: 'keys',
  summary: 'Makes a key, which is shown this once',
  body: { contents: [json(keyOnWire)] },
  answers: [json(z.object({ errcode: success, id: z.string(), key: z.string(), error: notes }))],
}

export const listKeys: Call = {
  id: 'listKeys',
  group: 'keys',
  summary: 'The keys that are good, without their secrets',
  answers: [
    json(
      z.object({
        keys: z.array(
          z.object({
            id: z.string(),
            name: z.string(),
            scopes: z.array(z.enum(scopes)),
            on: z.array(z.string()).nullable(),
            created: instant,
            last_used: instant.nullable(),
            expires: instant.nullable(),
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
  summary: 'Who changed what, newest first',
  query: {
    limit: parameter(
      'how many; 100 where it is absent',
      z.string().meta({ type: 'integer', minimum: 1, maximum: 10_000 }).optional(),
    ),
  },
  answers: [
    json(
      z.object({
        changes: z.array(
          z.object({ ts: instant, by: z.string(), what: z.string(), name: z.string(), detail: z.string() }),
        ),
        num_changes: count,
      }),
    ),
  ],
}
