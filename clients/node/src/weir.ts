import type { Answer, Row, Wire } from './calls.ts'
import { documentNouns } from './documents.ts'
import { doorNouns } from './doors.ts'
import { graphNouns } from './graphs.ts'
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
    /** The address, without a slash at its end. */
    url: requests.base,
    /** The service's name, version and commit. */
    about: (options: Wait = {}): Promise<Answer> => json({ method: 'GET', path: [''], ...options }),
    health: (options: Wait = {}): Promise<Answer> => json({ method: 'GET', path: ['health', 'ready'], ...options }),

    ...streamNouns(requests),
    ...questionNouns(requests),
    ...graphNouns(requests),
    ...documentNouns(requests),
    ...doorNouns(requests),
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

    /** A copy of all data, as it comes: the body of the answer is a tar file. */
    backup: (options: Wait = {}): Promise<Response> =>
      requests.response({ method: 'POST', path: ['backup'], isStream: true, ...options }),

    /** Any other call, with this connection's key, tries and errors. */
    call: requests.json,
  }
}

export type Weir = ReturnType<typeof connect>
