import { type Answer, flag, type Row, type Values } from './calls.ts'
import { WeirError } from './errors.ts'
import type { Requests, Wait } from './requests.ts'
import { listed, type Rows } from './rows.ts'

type Body = string | Uint8Array<ArrayBuffer> | Blob | ReadableStream<Uint8Array>

/** Tables of documents, and buckets of objects. */
export function documentNouns(requests: Requests) {
  const { json } = requests

  return {
    /** Documents by key. */
    table: <Document = Row>(database: string, name: string) => {
      const path = ['db', database, name]
      return {
        make: (settings: Values = {}, { dry, ...options }: Wait & { readonly dry?: boolean } = {}): Promise<Answer> =>
          json({
            method: 'POST',
            path: ['db', database, 'table'],
            query: { dry: flag(dry) },
            json: { table_name: name, table_type: 1, key_type: 1, ...settings },
            ...options,
          }),
        put: (key: string | number, doc: Document, options: Wait = {}): Promise<Answer> =>
          json({ method: 'POST', path: [...path, 'doc'], json: { _pk: key, doc }, isRepeatable: true, ...options }),
        /** Undefined where no record has the key. */
        get: async (key: string | number, options: Wait = {}): Promise<(Document & { _pk: unknown }) | undefined> => {
          try {
            return await json({ method: 'GET', path, query: { key }, ...options })
          } catch (error) {
            if (error instanceof WeirError && error.kind === 'missing' && /\brecord\b/.test(error.message))
              return undefined
            throw error
          }
        },
        remove: (key: string | number, options: Wait = {}): Promise<Answer> =>
          json({ method: 'DELETE', path, query: { key }, ...options }),
        count: async (options: Wait = {}): Promise<number> =>
          Number((await json({ method: 'GET', path: [...path, 'count'], ...options })).count),
        drop: (options: Wait = {}): Promise<Answer> => json({ method: 'DELETE', path, ...options }),
      }
    },

    /** Objects in a bucket; bodies are streams. */
    bucket: (bucket: string) => ({
      make: (options: Wait = {}): Promise<Answer> =>
        json({ method: 'POST', path: ['brs', 'bucket'], json: { bucket_name: bucket }, ...options }),
      put: (key: string, body: Body, options: Wait = {}): Promise<Answer> =>
        json({
          method: 'PUT',
          path: ['brs', bucket, 'object', key],
          body,
          ...options,
        }),
      get: (key: string, options: Wait = {}): Promise<Response> =>
        requests.response({ method: 'GET', path: ['brs', bucket, 'object', key], isStream: true, ...options }),
      list: (options: Wait = {}): Rows<{ key: string }> =>
        listed(
          requests,
          { method: 'POST', path: ['brs', 'object', 'list'], json: { bucket_name: bucket }, isRepeatable: true },
          'key_list',
          options,
        ),
      remove: (key: string, options: Wait = {}): Promise<Answer> =>
        json({ method: 'DELETE', path: ['brs', bucket, 'object', key], ...options }),
      drop: (options: Wait = {}): Promise<Answer> =>
        json({ method: 'POST', path: ['brs', 'bucket', 'delete'], json: { bucket_name: bucket }, ...options }),
    }),
  }
}
