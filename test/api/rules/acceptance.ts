import test from 'ava'
import type { Client } from '../../support/requests/client.ts'
import { startService } from '../../support/service.ts'

export type Row = Record<string, unknown>
/** A stream, the seconds of the event's time, the event. */
export type Sent = readonly [stream: string, at_s: number, event: Row]

export const start_us = Date.UTC(2026, 0, 1) * 1000
/** The time of an event, so many seconds after the first hour of these tests. */
export const at = (seconds: number): number => start_us + seconds * 1_000_000

export const attr = (name: string, type: number, more: object = {}) => ({ name, type, ...more })
export const point = attr('point', 9)
export const stream = (name: string, attrs: readonly object[], more: object = {}) => ({
  ...{ name, type: 1, swsz: 0, attr: attrs },
  ...more,
})
export const joined = (name: string, inpt: readonly string[], more: object = {}) => ({
  ...{ name, type: 3, swsz: 0, inpt, attr: [] },
  ...more,
})
export const passing = (query: readonly object[], qtype = 1, more: object = {}) => ({
  name: { query, qtype, ...more },
  type: 1,
})
export const where = (key: string, cmp_op: string | number, val: unknown, more: object = {}) => ({
  ...{ key, cmp_op, val },
  ...more,
})
export const same = (name: string, more: object = {}) => ({ cond: [name], args: [name], ...more })

/** Schemas of names of their own on a service of the test file. */
export async function startSchemas(prefix: string) {
  const { client, close } = await startService()
  test.after.always(close)
  return createSchemas(client, prefix)
}

/** The same on a service that is there. */
export function createSchemas(client: Client, prefix: string) {
  let made = 0
  const nextName = () => `${prefix}${++made}`
  const registered: string[] = []
  return {
    client,
    nextName,
    /** Deletes the schemas that were registered: over Kafka each of their streams at rest keeps a part of a processor busy. */
    async dropAll(): Promise<void> {
      for (const schema of registered.splice(0)) await client.ok(client.send('DELETE', `/stream/${schema}`))
    },
    async register(streams: readonly object[], more: object = {}) {
      const schema = nextName()
      await client.register({ schema, streams, ...more })
      registered.push(schema)
      const post = (name: string, event: object) => client.event(`${schema}.${name}`, event)
      return {
        schema,
        post,
        async send(sent: readonly Sent[]): Promise<void> {
          for (const [to, at_s, event] of sent) await post(to, { _pk: at(at_s), ...event })
        },
        lines: (name: string, events: readonly object[]) => client.lines(`${schema}.${name}`, events),
        /** Rows of a stream, the oldest first. */
        rows: async (name: string, condition = ''): Promise<Row[]> =>
          (await client.documents(`select * from ${schema}.${name}${condition}`)).reverse(),
        /** Registers other streams in their place. */
        edit: (changed: readonly object[], query = '') =>
          client.send('PUT', `/stream${query}`, { schema, streams: changed }),
      }
    },
  }
}

/** Members of rows, as texts: `70.1 10.2`. A dot goes into an object. */
export const shown = (rows: readonly Row[], ...names: readonly string[]): string[] =>
  rows.map((row) =>
    names
      .map((name) => name.split('.').reduce<unknown>((value, part) => (value as Row | undefined)?.[part], row))
      .map((value) => (value === undefined ? '-' : typeof value === 'object' ? JSON.stringify(value) : String(value)))
      .join(' '),
  )
