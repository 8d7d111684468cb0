import type { Answer, Values, Wire } from './calls.ts'
import type { Requests, Wait } from './requests.ts'
import { listed, type Rows } from './rows.ts'

export function graphNouns(requests: Requests) {
  const { json } = requests

  return {
    graph: (name: string) => ({
      make: (options: Wait = {}): Promise<Answer> => json({ method: 'POST', path: ['graph', name], ...options }),
      /** A question, or a statement that changes the graph. */
      query: (text: string, options: Wait = {}): Promise<Answer> =>
        json({ method: 'POST', path: ['graph', name, 'query'], json: { query: text }, ...options }),
      addNode: (node: Wire['Node'], options: Wait = {}): Promise<Answer> =>
        json({ method: 'POST', path: ['graph', name, 'node'], json: node, ...options }),
      addTriple: (triple: Wire['Triple'], options: Wait = {}): Promise<Answer> =>
        json({ method: 'POST', path: ['graph', name, 'triple'], json: triple, ...options }),
      algorithm: (algorithm: string, settings: Values = {}, options: Wait & { readonly wait_s?: number } = {}) =>
        json({
          method: 'POST',
          path: ['graph', name, 'algorithm', algorithm],
          query: { wait: options.wait_s },
          json: settings,
          signal: options.signal,
        }),
      remove: (options: Wait = {}): Promise<Answer> => json({ method: 'DELETE', path: ['graph', name], ...options }),
    }),
    graphs: (options: Wait = {}): Rows<string> =>
      listed(requests, { method: 'GET', path: ['graph', 'list'] }, 'graphs', options),
  }
}
