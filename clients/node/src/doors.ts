import { type Answer, type DefineOptions, flag, type Row, type Values, type Wire } from './calls.ts'
import { WeirError } from './errors.ts'
import { verify } from './hooks.ts'
import { randomKey } from './random-key.ts'
import type { Requests, Wait } from './requests.ts'
import { listed, type Rows } from './rows.ts'
import { statesOf } from './states.ts'

type StartOptions = Wait & {
  /** Seconds for which the answer waits for the end, 30 at most; 0 if absent. */
  readonly wait?: number
}

/** Doors for the events of others: signed webhooks, files in buckets, topics of Kafka. */
export function doorNouns(requests: Requests) {
  const { json } = requests

  const importAt = (id: string, options: Wait) =>
    statesOf(
      () => json<Wire['DescribeImportAnswer']>({ method: 'GET', path: ['import', id], ...options }),
      ({ state, reason }) => {
        if (state === 'failed') throw new WeirError('refused', `the import ${id} failed: ${reason}`)
        if (state === 'cancelled') throw new WeirError('refused', `the import ${id} was cancelled`)
        return state === 'done'
      },
      options,
    )

  return {
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
      /** The latest deliveries to the process that answers, newest first. */
      deliveries: (options: Wait = {}): Rows<Row> =>
        listed(requests, { method: 'GET', path: ['hook', name] }, 'deliveries', options),
      remove: (options: DefineOptions = {}): Promise<Answer> =>
        json({ method: 'DELETE', path: ['hook', name], query: { dry: flag(options.dry) }, signal: options.signal }),
    }),
    hooks: {
      verify,
      list: (options: Wait = {}): Rows<Row> => listed(requests, { method: 'GET', path: ['hook'] }, 'hooks', options),
    },

    /** A topic of somebody else's Kafka, whose messages become events of a stream. */
    source: (name: string) => {
      const path = ['source', name]
      return {
        put: (source: Wire['PutSourceBody'], options: DefineOptions = {}): Promise<Answer> =>
          json({ method: 'PUT', path, query: { dry: flag(options.dry) }, json: source, signal: options.signal }),
        get: (options: Wait = {}): Promise<Wire['DescribeSourceAnswer']> => json({ method: 'GET', path, ...options }),
        on: (options: Wait = {}): Promise<Answer> => json({ method: 'PUT', path: [...path, 'ON'], ...options }),
        off: (options: Wait = {}): Promise<Answer> => json({ method: 'PUT', path: [...path, 'OFF'], ...options }),
        remove: (options: DefineOptions = {}): Promise<Answer> =>
          json({ method: 'DELETE', path, query: { dry: flag(options.dry) }, signal: options.signal }),
      }
    },
    sources: (options: Wait = {}): Rows<Wire['ListSourcesAnswer']['sources'][number]> =>
      listed(requests, { method: 'GET', path: ['source'] }, 'sources', options),

    imports: {
      /**
       * Begins to bring files of a bucket to a stream; the loop over it has its states until it is done, and throws where it fails. Without
       * an `id` it gets one here, so that a repeat of the request begins no second import.
       */
      async start(request: Wire['StartImportBody'], { wait, signal }: StartOptions = {}) {
        const id = request.id ?? `import_${randomKey().replaceAll('-', '_')}`
        const begun = await json<Wire['StartImportAnswer']>({
          method: 'POST',
          path: ['import'],
          query: { wait },
          json: { ...request, id },
          isRepeatable: true,
          signal,
        })
        return { begun, ...importAt(id, { signal }) }
      },
      /** The states of an import that was begun elsewhere. */
      states: (id: string, options: Wait = {}) => importAt(id, options),
      get: (id: string, options: Wait = {}): Promise<Wire['DescribeImportAnswer']> =>
        json({ method: 'GET', path: ['import', id], ...options }),
      list: (options: Wait = {}): Rows<Wire['ListImportsAnswer']['imports'][number]> =>
        listed(requests, { method: 'GET', path: ['import'] }, 'imports', options),
      /** Ends one that is under way, and forgets one that has ended; the rows that came stay. */
      remove: (id: string, options: Wait = {}): Promise<Answer> =>
        json({ method: 'DELETE', path: ['import', id], ...options }),
    },
  }
}
