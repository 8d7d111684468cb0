import { type Answer, type DefineOptions, flag, type Row, type Values, type Wire } from './calls.ts'
import { follow, type LiveOptions } from './live.ts'
import type { Requests, Wait } from './requests.ts'
import { linesOf, listed, type Rows, rowsOf } from './rows.ts'

export type QueryOptions = Wait & {
  /** Asks what is there already, without a wait for what was acknowledged just now. */
  readonly eventual?: boolean
} & Notes

type Notes = {
  /** Gets each note of the service beside the rows, such as an attribute that the stream does not declare. */
  readonly onNote?: (note: string) => void
}

const isPlain = (values: Values): values is Record<string, string | number | boolean> =>
  Object.values(values).every((value) => ['string', 'number', 'boolean'].includes(typeof value)) &&
  JSON.stringify(values).length < 2_000

/** Questions in both languages, and those with a name. */
export function questionNouns(requests: Requests) {
  const { json } = requests

  return {
    /** The rows of a `select` of Weir's own language, plainly. */
    query: <Stored = Row>(sql: string, { eventual, signal, onNote }: QueryOptions = {}): Rows<Stored> =>
      rowsOf(() =>
        linesOf<Stored>(
          requests,
          {
            method: 'POST',
            path: ['db', 'mydb', 'query'],
            query: { consistency: eventual ? 'eventual' : undefined },
            json: { sql },
            headers: { accept: 'application/x-ndjson' },
            isRepeatable: true,
            signal,
          },
          { onNote },
        ),
      ),

    /** A statement of that language that changes something: insert, update, delete. */
    run: (
      sql: string,
      options: Wait & { readonly rebuild?: boolean; readonly force?: boolean } = {},
    ): Promise<Answer> =>
      json({
        method: 'POST',
        path: ['db', 'mydb', 'query'],
        query: { rebuild: flag(options.rebuild), force: flag(options.force) },
        json: { sql },
        signal: options.signal,
      }),

    /** The rows of SQL over all that Weir has; `params` are bound to `{name:Type}`. */
    sql: <Stored = Row>(sql: string, params?: Values, { eventual, signal, onNote }: QueryOptions = {}): Rows<Stored> =>
      rowsOf(() =>
        linesOf<Stored>(
          requests,
          {
            method: 'POST',
            path: ['sql'],
            json: { sql, format: 'JSONEachRow', ...(params && { params }), ...(eventual && { eventual: true }) },
            isRepeatable: true,
            signal,
          },
          { onNote, isAllRows: true },
        ),
      ),

    /** The answer to a question of Weir's language, again whenever it has changed. */
    follow: (sql: string, options: LiveOptions = {}): AsyncGenerator<Answer> =>
      follow(
        requests,
        { method: 'GET', path: ['db', 'mydb', 'query', 'live'], query: { sql, rows: 'objects' } },
        'answer',
        options,
      ),

    /** A question with a name. */
    saved: <Stored = Row>(name: string) => ({
      /** Plain values go in the address, so that a cache on the way can keep the answer. */
      rows: (params: Values = {}, { signal, onNote }: Wait & Notes = {}): Rows<Stored> =>
        rowsOf(() => {
          const path = ['saved', name, 'rows']
          const query = { format: 'JSONEachRow' }
          return linesOf<Stored>(
            requests,
            isPlain(params)
              ? { method: 'GET', path, query: { ...params, ...query }, signal }
              : { method: 'POST', path, query, json: params, isRepeatable: true, signal },
            { onNote },
          )
        }),
      live: (params: Readonly<Record<string, string | number | boolean>> = {}, options: LiveOptions = {}) =>
        follow<{ readonly rows: readonly Stored[] }>(
          requests,
          { method: 'GET', path: ['saved', name, 'live'], query: params },
          'answer',
          options,
        ),
      put: (question: Wire['SaveQuestionBody'], options: DefineOptions = {}): Promise<Answer> =>
        json({
          method: 'PUT',
          path: ['saved', name],
          query: { dry: flag(options.dry) },
          json: question,
          signal: options.signal,
        }),
      get: (options: Wait = {}): Promise<Answer> => json({ method: 'GET', path: ['saved', name], ...options }),
      remove: (options: DefineOptions = {}): Promise<Answer> =>
        json({ method: 'DELETE', path: ['saved', name], query: { dry: flag(options.dry) }, signal: options.signal }),
    }),
    questions: (options: Wait = {}): Rows<Row> =>
      listed(requests, { method: 'GET', path: ['saved'] }, 'saved', options),
  }
}
