import { z } from 'zod'
import { scopes } from '../../activities/keys/scopes.ts'
import { bytes, type Call, json, notes, success, text } from '../http/call.ts'

const unchanged = { 304: { says: 'it is as it was' } }

export const consolePage: Call = {
  id: 'consolePage',
  group: 'service',
  summary: 'The console, a page for browsers; each address below /console shows a part of it',
  parameters: 'any',
  answers: [text('HTML', 'text/html')],
  also: unchanged,
}

export const consoleFile: Call = {
  id: 'consoleFile',
  group: 'service',
  summary: 'A file of the console',
  parameters: 'any',
  answers: [bytes('a script', 'text/javascript'), bytes('a style sheet', 'text/css')],
  also: unchanged,
}

export const session: Call = {
  id: 'session',
  group: 'keys',
  summary: 'The rights of the caller: by the key in a header, or by the one in the cookie of the console',
  answers: [
    json(
      z.object({
        keys: z.enum(['required', 'off']),
        id: z.string().nullable(),
        scopes: z.array(z.enum(scopes)),
        on: z.array(z.string()).nullable(),
      }),
    ),
  ],
}

export const keyOnWire = z.strictObject({ key: z.string().min(1, 'must not be empty').max(1000, 'is too long') })

export const signIn: Call = {
  id: 'signIn',
  group: 'keys',
  summary: 'Keeps a key in a cookie that scripts cannot read, for the requests of the console alone',
  body: { contents: [json(keyOnWire)] },
  answers: [json(z.object({ errcode: success, error: notes }))],
  refuses: ['denied', 'forbidden'],
}

export const signOut: Call = {
  id: 'signOut',
  group: 'keys',
  summary: 'Takes the cookie away',
  answers: [json(z.object({ errcode: success }))],
}
