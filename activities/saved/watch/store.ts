import { isObject, type Json, parseJson, writeJson } from '../../../base/json.ts'
import type { ClickHouse } from '../../../infra/clickhouse/clickhouse.ts'
import type { Alert, Change, Key, WatchState } from './states.ts'

/** A state as it is kept: with its receivers, which get the end of an alert whose watch goes. */
export type Kept = WatchState & { readonly receivers: Receivers }

export type Receivers = {
  readonly version: number
  readonly notf?: number
  readonly format: string
  readonly labels: Readonly<Record<string, string>>
}

export type Silence = { readonly name: string; readonly key: Key; readonly until: number; readonly why: string }

/** A send, for the process that sends notifications. */
export type Ready = { readonly notifid: number; readonly format: string; readonly payload: { [member: string]: Json } }

/** All that one turn writes: one insert of one block, which is there whole or not at all. */
export type Turn = {
  readonly number: number
  readonly holder: string
  readonly at: number
  /** Undefined for a watch that is gone. */
  readonly states: ReadonlyMap<string, Kept | undefined>
  readonly changes: readonly (Change & { readonly name: string })[]
  readonly sends: readonly Ready[]
}

export type ToldChange = Omit<Change, 'about' | 'key'> & Pick<Change, 'about' | 'key'>

const table = '`weir`.`saved_log`'
const line = (row: { readonly [column: string]: Json }): string => `${writeJson(row)}\n`

const bodyOf = ({ alerts, problem, receivers, at, took_ms, skipped }: Kept): string =>
  writeJson({
    ...{ at, took_ms, skipped, receivers: { ...receivers, labels: { ...receivers.labels } } },
    ...(problem && { problem: { ...problem } }),
    alerts: Array.from(alerts, ([id, alert]) => [id, { ...alert, key: { ...alert.key } }]),
  })

// The function above wrote it.
type Body = Omit<Kept, 'alerts'> & { readonly alerts: readonly (readonly [string, Alert])[] }

function keptOf(body: string): Kept {
  const { alerts, ...rest } = parseJson(body, 'the state of a watch') as unknown as Body
  return { ...rest, alerts: new Map(alerts) }
}

/** The states of watches, their turns and their silences, in ClickHouse. */
export function createWatchStore(clickhouse: ClickHouse) {
  async function lastTurn(): Promise<{ number: number; holder: string }> {
    const [row] = await clickhouse.rows<{ number: number; holder: string }>({
      text: "SELECT toFloat64(version) AS number, body AS holder FROM weir.saved_log FINAL WHERE kind = 'turn'",
      params: {},
    })
    return row ?? { number: 0, holder: '' }
  }

  /** Forgets watches that are gone, with every version of their states. */
  async function forget(names: readonly string[]): Promise<void> {
    for (const name of names) {
      const text = "DELETE FROM weir.saved_log WHERE kind = 'state' AND name = {name:String}"
      await clickhouse.run({ text, params: { name } })
    }
  }

  return {
    lastTurn,
    forget,

    /** ClickHouse takes the first of two turns of one number; a repeat by the same process changes nothing. */
    commit: ({ number, holder, at, states, changes, sends }: Turn): Promise<void> =>
      clickhouse.insert({
        table,
        rows: Buffer.from(
          [
            line({ kind: 'turn', version: number, at, body: holder }),
            ...Array.from(states, ([name, kept]) =>
              line({ kind: 'state', name, version: number, at, body: kept ? bodyOf(kept) : '' }),
            ),
            ...changes.map(({ name, ...change }, place) =>
              line({
                kind: 'change',
                name,
                number,
                place,
                at: change.at,
                body: writeJson({ ...change, key: { ...change.key } }),
              }),
            ),
            ...sends.map(({ notifid, format, payload }, place) =>
              line({ kind: 'send', number, place, at, notifid, body: writeJson({ format, payload }) }),
            ),
          ].join(''),
        ),
        token: `turn ${number}`,
      }),

    /** The state of each watch; watches that are gone are forgotten. */
    async load(): Promise<Map<string, Kept>> {
      const rows = await clickhouse.rows<{ name: string; body: string }>({
        text: "SELECT name, body FROM weir.saved_log FINAL WHERE kind = 'state'",
        params: {},
      })
      await forget(rows.filter(({ body }) => body === '').map(({ name }) => name))
      return new Map(rows.flatMap(({ name, body }) => (body === '' ? [] : [[name, keptOf(body)]])))
    },

    async state(name: string): Promise<Kept | undefined> {
      const [row] = await clickhouse.rows<{ body: string }>({
        text: "SELECT body FROM weir.saved_log FINAL WHERE kind = 'state' AND name = {name:String}",
        params: { name },
      })
      return row === undefined || row.body === '' ? undefined : keptOf(row.body)
    },

    /** The latest first. */
    async changes(name: string, limit: number): Promise<Change[]> {
      const rows = await clickhouse.rows<{ body: string }>({
        text: [
          "SELECT body FROM weir.saved_log FINAL WHERE kind = 'change' AND name = {name:String}",
          `ORDER BY number DESC, place DESC LIMIT ${limit}`,
        ].join(' '),
        params: { name },
      })
      return rows.map(({ body }) => parseJson(body, 'a change of a state') as unknown as Change)
    },

    /** The silences that last beyond a moment; of one watch, or of all. */
    async silences(at: number, name?: string): Promise<Silence[]> {
      const rows = await clickhouse.rows<{ name: string; body: string }>({
        text: [
          "SELECT name, body FROM weir.saved_log FINAL WHERE kind = 'silence' AND log.at > {at:Int64}",
          name === undefined ? '' : 'AND name = {name:String}',
          'ORDER BY name, part',
        ]
          .join(' ')
          .replace('saved_log FINAL', 'saved_log AS log FINAL'),
        params: { at, ...(name !== undefined && { name }) },
      })
      return rows.flatMap(({ name, body }) => {
        const silence = parseJson(body, 'a silence')
        return isObject(silence) ? [{ name, ...(silence as unknown as Omit<Silence, 'name'>) }] : []
      })
    },

    /** A silence takes the place of the one of the same key. */
    putSilence: ({ name, key, until, why }: Silence, version: number): Promise<void> =>
      clickhouse.insert({
        table,
        rows: Buffer.from(
          line({
            ...{ kind: 'silence', name, part: writeJson({ ...key }), version, at: until },
            body: writeJson({ key: { ...key }, until, why }),
          }),
        ),
      }),

    async forgetSilences(name: string): Promise<void> {
      const text = "DELETE FROM weir.saved_log WHERE kind = 'silence' AND name = {name:String}"
      await clickhouse.run({ text, params: { name } })
    },
  }
}

export type WatchStore = ReturnType<typeof createWatchStore>
