import { type Answer, type DefineOptions, flag, flagsOf, type Row, type Values } from './calls.ts'
import type { EventOf, RowOf, SchemaForm, StreamOf } from './define.ts'
import { WeirError } from './errors.ts'
import { type SendManyOptions, type Sent, send, sendMany, type Taken } from './events.ts'
import { follow, type LiveOptions } from './live.ts'
import type { Requests, Wait } from './requests.ts'
import { listed, type Rows } from './rows.ts'

/** Schemas, and the events of their streams. */
export function streamNouns(requests: Requests) {
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
  }
}
