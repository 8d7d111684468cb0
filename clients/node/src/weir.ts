import type { components } from './api.js'
import type { EventOf, RowOf, SchemaForm, StreamOf } from './define.ts'
import { WeirError } from './errors.ts'
import { type SendManyOptions, type Sent, send, sendMany, type Taken } from './events.ts'
import { verify } from './hooks.ts'
import { follow, type LiveOptions } from './live.ts'
import { createRequests, type Options, pause, type Wait } from './requests.ts'
import { linesOf, listed, type Rows, rowsOf } from './rows.ts'

type Wire = components['schemas']
/** A row of an answer: its values by their names. */
export type Row = Record<string, unknown>
type Answer = Record<string, unknown>
type Values = Readonly<Record<string, unknown>>
type Body = string | Uint8Array<ArrayBuffer> | Blob | ReadableStream<Uint8Array>

export type QueryOptions = Wait & {
  /** Asks what is there already, without a wait for what was acknowledged just now. */
  readonly eventual?: boolean
}

export type DefineOptions = Wait & {
  /** Says what would be, and changes nothing. */
  readonly dry?: boolean
  /** Members that Weir does not know are refused. */
  readonly strict?: boolean
  /** The change may lose data. */
  readonly force?: boolean
}

const flag = (is: boolean | undefined): 1 | undefined => (is ? 1 : undefined)
const flagsOf = ({ dry, strict, force }: DefineOptions) => ({
  dry: flag(dry),
  strict: flag(strict),
  force: flag(force),
})

const isPlain = (values: Values): values is Record<string, string | number | boolean> =>
  Object.values(values).every((value) => ['string', 'number', 'boolean'].includes(typeof value)) &&
  JSON.stringify(values).length < 2_000

/** The state of a training that has ended well; below 20 it has failed. */
const trained = 25

/** Weir, by its nouns. Nothing is asked before the first call. */
export function connect(options: Options = {}) {
  const requests = createRequests(options)
  const { json } = requests

  /** A stream's events. Types come from a schema of `defineSchema`, where `of` has one. */
  function stream<Event = Values, Stored = Row>(schema: string, name: string) {
    const path = ['stream', schema, name]
    return {
      /** Sends one event; with `id` a repeat under the same id is counted once. */
      send: (event: Event, options: Wait & { readonly id?: string } = {}): Promise<Taken> =>
        send(requests, path, event, options),
      /** Sends many, in batches. A text is a line of NDJSON as it is. */
      sendMany: (
        events: Iterable<Event | string> | AsyncIterable<Event | string>,
        options?: SendManyOptions,
      ): Promise<Sent> => sendMany(requests, path, events, options),
      /** Events as they come; `last` begins with the latest that there are. */
      live: (
        options: LiveOptions & { readonly where?: string; readonly last?: number; readonly after?: number } = {},
      ) => {
        const { where, last, after } = options
        const call = { method: 'GET', path: [...path, 'live'], query: { where, last, after } } as const
        return follow<Stored>(requests, call, 'event', options)
      },
      count: async (options: Wait = {}): Promise<number> =>
        Number((await json({ method: 'GET', path: [...path, 'count'], ...options })).count),
      /** The latest events that were refused, each with the reason. */
      refused: (options: Wait = {}): Rows<Row> =>
        listed(requests, { method: 'GET', path: [...path, 'refused'] }, 'refused', options),
      remove: (options: Wait & { readonly dry?: boolean; readonly undo?: number } = {}): Promise<Answer> => {
        const { dry, undo, signal } = options
        return json({ method: 'DELETE', path, query: { dry: flag(dry), undo }, signal })
      },
    }
  }

  return {
    /** The service's name, version and commit. */
    about: (options: Wait = {}): Promise<Answer> => json({ method: 'GET', path: [''], ...options }),
    health: (options: Wait = {}): Promise<Answer> => json({ method: 'GET', path: ['health', 'ready'], ...options }),

    stream,

    /** The streams of a definition, with its types. */
    of: <const Form extends SchemaForm>(form: Form) => ({
      stream: <Name extends keyof Form['streams'] & string>(name: Name) =>
        stream<EventOf<StreamOf<Form, Name>>, RowOf<StreamOf<Form, Name>>>(form.schema, name),
    }),

    schemas: {
      list: (options: Wait = {}): Rows<Row> =>
        listed(requests, { method: 'GET', path: ['stream', 'list'] }, 'schemas', options),
      /** The schema, in words. */
      get: (name: string, options: Wait = {}): Promise<Answer> =>
        json({ method: 'GET', path: ['stream', name, 'schema'], query: { as: 'words' }, ...options }),
      /** Registers a definition, or changes the one that is there. A text is YAML. */
      put: async (definition: SchemaForm | Values | string, options: DefineOptions = {}): Promise<Answer> => {
        const isText = typeof definition === 'string'
        const call = {
          path: ['stream'],
          query: flagsOf(options),
          signal: options.signal,
          ...(isText ? { body: definition, headers: { 'content-type': 'application/yaml' } } : { json: definition }),
        }
        try {
          return await json({ ...call, method: 'PUT' })
        } catch (error) {
          if (!(error instanceof WeirError) || error.kind !== 'missing') throw error
          return json({ ...call, query: { ...call.query, force: undefined }, method: 'POST' })
        }
      },
      remove: (
        name: string,
        options: Wait & { readonly dry?: boolean; readonly undo?: number } = {},
      ): Promise<Answer> =>
        json({
          method: 'DELETE',
          path: ['stream', name],
          query: { dry: flag(options.dry), undo: options.undo },
          signal: options.signal,
        }),
    },

    /** The rows of a `select` of Weir's own language, plainly. */
    query: <Stored = Row>(sql: string, { eventual, signal }: QueryOptions = {}): Rows<Stored> =>
      rowsOf(() =>
        linesOf<Stored>(requests, {
          method: 'POST',
          path: ['db', 'mydb', 'query'],
          query: { consistency: eventual ? 'eventual' : undefined },
          json: { sql },
          headers: { accept: 'application/x-ndjson' },
          isRepeatable: true,
          signal,
        }),
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
    sql: <Stored = Row>(sql: string, params?: Values, { eventual, signal }: QueryOptions = {}): Rows<Stored> =>
      rowsOf(() =>
        linesOf<Stored>(requests, {
          method: 'POST',
          path: ['sql'],
          json: { sql, format: 'JSONEachRow', ...(params && { params }), ...(eventual && { eventual: true }) },
          isRepeatable: true,
          signal,
        }),
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
      rows: (params: Values = {}, { signal }: Wait = {}): Rows<Stored> =>
        rowsOf(() => {
          const path = ['saved', name, 'rows']
          const query = { format: 'JSONEachRow' }
          return linesOf<Stored>(
            requests,
            isPlain(params)
              ? { method: 'GET', path, query: { ...params, ...query }, signal }
              : { method: 'POST', path, query, json: params, isRepeatable: true, signal },
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

    /** Documents by key. */
    table: <Document = Row>(database: string, name: string) => {
      const path = ['db', database, name]
      return {
        make: (settings: Values = {}, options: Wait = {}): Promise<Answer> =>
          json({
            method: 'POST',
            path: ['db', database, 'table'],
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
          // A stream is read once: it cannot be sent again.
          isRepeatable: !(body instanceof ReadableStream),
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

    models: {
      list: (options: Wait = {}): Rows<Row> => listed(requests, { method: 'GET', path: ['ml'] }, 'models', options),
      /** Begins a training; the loop over it has its states until it has ended, and throws where it fails. */
      async train(request: Wire['TrainBody'], options: Wait = {}) {
        const begun = await json({ method: 'POST', path: ['ml', 'train'], json: request, ...options })
        const path = ['ml', String(request['schema-name']), String(request.model_name)]
        return { begun, ...trainingAt(path, options) }
      },
      /** A training that was begun elsewhere. */
      training: (schema: string, model: string, options: Wait = {}) => trainingAt(['ml', schema, model], options),
      predict: (
        request: Omit<Wire['PredictBody'], 'data_type' | 'attr_type'> & Values,
        options: Wait = {},
      ): Promise<Answer> =>
        json({ method: 'POST', path: ['ml', 'pred', '2'], json: request, isRepeatable: true, ...options }),
      forecast: (request: Wire['ForecastBody'], options: Wait = {}): Promise<Answer> =>
        json({ method: 'POST', path: ['ml', 'forecast'], json: request, isRepeatable: true, ...options }),
      metrics: (schema: string, model: string, options: Wait = {}): Promise<Answer> =>
        json({ method: 'GET', path: ['ml', schema, model, 'metrics'], ...options }),
      remove: (schema: string, model: string, options: Wait = {}): Promise<Answer> =>
        json({ method: 'DELETE', path: ['ml', schema, model], ...options }),
    },

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

    hooks: { verify },

    /** Any other call, with this connection's key, tries and errors. */
    call: requests.json,
  }

  function trainingAt(path: readonly string[], { signal }: Wait) {
    async function* states(): AsyncGenerator<Wire['TrainingStatusAnswer']> {
      let told = ''
      for (let wait_ms = 100; ; wait_ms = Math.min(2_000, wait_ms * 1.5)) {
        const state = await json<Wire['TrainingStatusAnswer']>({ method: 'GET', path: [...path, 'status'], signal })
        const text = JSON.stringify(state)
        if (text !== told) yield state
        told = text
        if (state.train_req_state === trained) return
        if (state.reason !== undefined) throw new WeirError('refused', `the training ended: ${state.reason}`)
        await pause(wait_ms, signal)
      }
    }
    return {
      [Symbol.asyncIterator]: states,
      /** Waits for its end; answers its last state. */
      async done(): Promise<Wire['TrainingStatusAnswer'] | undefined> {
        let last: Wire['TrainingStatusAnswer'] | undefined
        for await (const state of states()) last = state
        return last
      },
    }
  }
}

export type Weir = ReturnType<typeof connect>
