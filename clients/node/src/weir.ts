import { type Answer, type DefineOptions, flag, type Row, type Values, type Wire } from './calls.ts'
import { documentNouns } from './documents.ts'
import { graphNouns } from './graphs.ts'
import { verify } from './hooks.ts'
import { modelNouns } from './models.ts'
import { questionNouns } from './questions.ts'
import { createRequests, type Options, type Wait } from './requests.ts'
import { listed, type Rows } from './rows.ts'
import { streamNouns } from './streams.ts'

/** Weir, by its nouns. Nothing is asked before the first call. */
export function connect(options: Options = {}) {
  const requests = createRequests(options)
  const { json } = requests

  return {
    /** The service's name, version and commit. */
    about: (options: Wait = {}): Promise<Answer> => json({ method: 'GET', path: [''], ...options }),
    health: (options: Wait = {}): Promise<Answer> => json({ method: 'GET', path: ['health', 'ready'], ...options }),

    ...streamNouns(requests),
    ...questionNouns(requests),
    ...graphNouns(requests),
    ...documentNouns(requests),
    ...modelNouns(requests),

    keys: {
      make: (key: Wire['MakeKeyBody'], options: Wait = {}): Promise<Answer> =>
        json({ method: 'POST', path: ['keys'], json: key, ...options }),
      list: (options: Wait = {}): Rows<Row> => listed(requests, { method: 'GET', path: ['keys'] }, 'keys', options),
      revoke: (id: string, options: Wait = {}): Promise<Answer> =>
        json({ method: 'DELETE', path: ['keys', id], ...options }),
    },
    tokens: {
      /** A token for a page, which asks one saved question. */
      make: (token: Wire['MakeTokenBody'], options: Wait = {}): Promise<Answer> =>
        json({ method: 'POST', path: ['keys', 'token'], json: token, ...options }),
    },

    /** A door for signed webhooks of others. */
    hook: (name: string) => ({
      put: (hook: Values, options: DefineOptions = {}): Promise<Answer> =>
        json({
          method: 'PUT',
          path: ['hook', name],
          query: { dry: flag(options.dry) },
          json: hook,
          signal: options.signal,
        }),
      get: (options: Wait = {}): Promise<Answer> => json({ method: 'GET', path: ['hook', name], ...options }),
      remove: (options: DefineOptions = {}): Promise<Answer> =>
        json({ method: 'DELETE', path: ['hook', name], query: { dry: flag(options.dry) }, signal: options.signal }),
    }),
    hooks: {
      verify,
      list: (options: Wait = {}): Rows<Row> => listed(requests, { method: 'GET', path: ['hook'] }, 'hooks', options),
    },

    /** A copy of all data, as it comes: the body of the answer is a tar file. */
    backup: (options: Wait = {}): Promise<Response> =>
      requests.response({ method: 'POST', path: ['backup'], isStream: true, ...options }),

    /** Any other call, with this connection's key, tries and errors. */
    call: requests.json,
  }
}

export type Weir = ReturnType<typeof connect>
