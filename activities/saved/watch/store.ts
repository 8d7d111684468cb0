import { isObject, type Json, parseJson, writeJson } from '../../../base/json.ts'
import type { ClickHouse } from '../../../infra/clickhouse/clickhouse.ts'
import { literal } from '../../../sql/literal.ts'
import type { Alert, Change, Key, WatchState } from './states.ts'

/** A state as it is kept: with its receivers, which get the end of an alert whose watch goes. */
export type Kept = WatchState & { readonly receivers: Receivers }

export type Receivers = {
  readonly version: number
  readonly notf?: number
  readonly format: string
  readonly labels: Readonly<Record<string, string>>
}

/** The state of a watch as a whole, the worst first; `failing` is one whose last evaluation failed. */
export const worstStates = ['firing', 'failing', 'pending', 'inactive'] as const
export type Worst = (typeof worstStates)[number]

export type Silence = { readonly name: string; readonly key: Key; readonly until: number; readonly why: string }

/** A silence as it is kept: of one name and `part` the latest counts. */
type KeptSilence = Silence & { readonly part: string }

/** The `part` of a silence: one for any order of the key's members, and for a number and its text, which are the same alerts. */
export const silencePart = (key: Key): string =>
  writeJson(
    Object.fromEntries(
      Object.keys(key)
        .toSorted()
        .map((column) => [column, textOf(key[column] ?? null)]),
    ),
  )

/** A value of a silence's key, by which it is the same as another one. */
export const textOf = (value: Json): string | null => (value === null ? null : String(value))

/** A send, for the process that sends notifications. */
export type Ready = { readonly notifid: number; readonly format: string; readonly payload: { [member: string]: Json } }

/** A run of a schedule that has ended; `due` is the time that it is of, or the time at which it was asked for. */
export type Run = {
  readonly name: string
  readonly part: string
  readonly due: number
  readonly version: number
  readonly isAsked: boolean
  readonly began: number
  readonly took_ms: number
  readonly state: 'done' | 'failed'
  readonly rows?: number
  readonly bytes?: number
  readonly key?: string
  readonly says?: string
}

/** A run that a client asked for. */
export type AskedRun = { readonly name: string; readonly part: string; readonly due: number }

/** The name of a schedule among those of all questions. */
export const scheduleId = (name: string, part: string): string => `${name}\n${part}`

/** All that one turn writes: one insert of one block, which is there whole or not at all. */
export type Turn = {
  readonly number: number
  readonly holder: string
  readonly at: number
  /** Undefined for a watch that is gone. */
  readonly states: ReadonlyMap<string, Kept | undefined>
  readonly changes: readonly (Change & { readonly name: string })[]
  readonly runs: readonly Run[]
  readonly sends: readonly Ready[]
}

export type ToldChange = Omit<Change, 'about' | 'key'> & Pick<Change, 'about' | 'key'>

const table = '`weir`.`saved_log`'
const line = (row: { readonly [column: string]: Json }): string => `${writeJson(row)}\n`

/** An alert as it is written, by its id. The id of an alert of a key is the key: there may be 10,000, at each evaluation. */
type Written = readonly [id: string, alert: Omit<Alert, 'about' | 'key'> & Partial<Pick<Alert, 'about' | 'key'>>]

const writtenOf = ([id, { about, key: _, ...alert }]: readonly [string, Alert]): Written =>
  about === 'key' ? [id, alert] : [id, { ...alert, about }]

function alertOf([id, { about = 'key', key, ...alert }]: Written): readonly [string, Alert] {
  // Weir 0.1 wrote the key beside its id, too.
  const own = key ?? (about === 'key' ? parseJson(id, 'the key of an alert') : {})
  return [id, { about, key: isObject(own) ? own : {}, ...alert }]
}

const bodyOf = ({ alerts, problem, receivers, at, took_ms, skipped }: Kept): string =>
  writeJson({
    ...{ at, took_ms, skipped, receivers: { ...receivers, labels: { ...receivers.labels } } },
    ...(problem && { problem: { ...problem } }),
    alerts: Array.from(alerts, writtenOf),
  })

// The function above wrote it.
type Body = Omit<Kept, 'alerts'> & { readonly alerts: readonly Written[] }

function keptOf(body: string): Kept {
  const { alerts, ...rest } = parseJson(body, 'the state of a watch') as unknown as Body
  return { ...rest, alerts: new Map(alerts.map(alertOf)) }
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

  /**
   * Forgets rows of watches that are gone, with every version of them, by one statement: it takes ClickHouse as long for a
   * thousand as for one, and no watch is evaluated meanwhile.
   */
  async function forget(names: readonly string[], kinds: readonly ('state' | 'silence')[]): Promise<void> {
    if (names.length === 0) return
    const text = [
      `DELETE FROM weir.saved_log WHERE kind IN (${kinds.map((kind) => literal(kind, 'String')).join(', ')})`,
      "AND name IN (JSONExtract({names:String}, 'Array(String)'))",
    ].join(' ')
    await clickhouse.run({ text, params: { names: writeJson([...names]) } })
  }

  return {
    lastTurn,
    /** Forgets the states and silences of watches that are gone. */
    forget: (names: readonly string[]): Promise<void> => forget(names, ['state', 'silence']),

    /** ClickHouse takes the first of two turns of one number; a repeat by the same process changes nothing. */
    commit: ({ number, holder, at, states, changes, runs, sends }: Turn): Promise<void> =>
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
            ...runs.map(({ name, part, due, ...run }) =>
              line({
                kind: 'run',
                name,
                part,
                number: due,
                place: run.isAsked ? 1 : 0,
                version: number,
                at: run.began,
                body: writeJson(run),
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
      await forget(
        rows.filter(({ body }) => body === '').map(({ name }) => name),
        ['state'],
      )
      return new Map(rows.flatMap(({ name, body }) => (body === '' ? [] : [[name, keptOf(body)]])))
    },

    async state(name: string): Promise<Kept | undefined> {
      const [row] = await clickhouse.rows<{ body: string }>({
        text: "SELECT body FROM weir.saved_log FINAL WHERE kind = 'state' AND name = {name:String}",
        params: { name },
      })
      return row === undefined || row.body === '' ? undefined : keptOf(row.body)
    },

    /** The worst state of each of these watches that has been evaluated. */
    async worst(names: readonly string[]): Promise<Map<string, Worst>> {
      const rows = await clickhouse.rows<{ name: string; worst: Worst }>({
        text: [
          "WITH arrayMap(alert -> alert.2.1, JSONExtract(body, 'alerts', 'Array(Tuple(String, Tuple(state String)))')) AS states",
          "SELECT name, multiIf(has(states, 'firing'), 'firing', JSONHas(body, 'problem'), 'failing',",
          "has(states, 'pending'), 'pending', 'inactive') AS worst FROM weir.saved_log FINAL",
          "WHERE kind = 'state' AND body != '' AND has(JSONExtract({names:String}, 'Array(String)'), name)",
        ].join(' '),
        params: { names: writeJson([...names]) },
      })
      return new Map(rows.map(({ name, worst }) => [name, worst]))
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
    async silences(at: number, name?: string): Promise<KeptSilence[]> {
      const rows = await clickhouse.rows<{ name: string; part: string; body: string }>({
        text: [
          "SELECT name, part, body FROM weir.saved_log FINAL WHERE kind = 'silence' AND log.at > {at:Int64}",
          name === undefined ? '' : 'AND name = {name:String}',
          'ORDER BY name, part',
        ]
          .join(' ')
          .replace('saved_log FINAL', 'saved_log AS log FINAL'),
        params: { at, ...(name !== undefined && { name }) },
      })
      return rows.flatMap(({ name, part, body }) => {
        const silence = parseJson(body, 'a silence')
        return isObject(silence) ? [{ name, part, ...(silence as unknown as Omit<Silence, 'name'>) }] : []
      })
    },

    /** How many silences of a watch are kept, those that have ended among them, and the greatest version of their rows. */
    async knownSilences(name: string): Promise<{ readonly parts: number; readonly version: number }> {
      const [row] = await clickhouse.rows<{ parts: number; version: number }>({
        text: [
          'SELECT toFloat64(uniqExact(part)) AS parts, toFloat64(max(version)) AS version FROM weir.saved_log',
          "WHERE kind = 'silence' AND name = {name:String}",
        ].join(' '),
        params: { name },
      })
      return row ?? { parts: 0, version: 0 }
    },

    /** Forgets every version of the silences of a watch that are of other parts. */
    forgetOtherSilences: (name: string, parts: readonly string[]): Promise<void> =>
      clickhouse.run({
        text: [
          "DELETE FROM weir.saved_log WHERE kind = 'silence' AND name = {name:String}",
          "AND part NOT IN (JSONExtract({parts:String}, 'Array(String)'))",
        ].join(' '),
        params: { name, parts: writeJson([...parts]) },
      }),

    /** A silence takes the place of the one of its part, and of those of the other `parts`, which end. */
    putSilence({ name, key, until, why }: Silence, version: number, parts: readonly string[] = []): Promise<void> {
      const own = silencePart(key)
      const body = writeJson({ key: { ...key }, until, why })
      const row = (part: string, at: number): string => line({ kind: 'silence', name, part, version, at, body })
      const ended = parts.filter((part) => part !== own)
      const rows = Buffer.from([row(own, until), ...ended.map((part) => row(part, 0))].join(''))
      return clickhouse.insert({ table, rows })
    },

    /** The latest due time of each schedule that has had a run of the last two days: earlier times are due no more. */
    async lastRuns(): Promise<Map<string, number>> {
      const rows = await clickhouse.rows<{ name: string; part: string; due: number }>({
        text: [
          'SELECT name, part, toFloat64(max(number)) AS due FROM weir.saved_log',
          "WHERE kind = 'run' AND place = 0 AND number > toUnixTimestamp64Micro(now64(6)) - 172800000000 GROUP BY name, part",
        ].join(' '),
        params: {},
      })
      return new Map(rows.map(({ name, part, due }) => [scheduleId(name, part), due]))
    },

    /** The latest first. */
    async runs(name: string, limit: number): Promise<Run[]> {
      const rows = await clickhouse.rows<{ part: string; due: number; body: string }>({
        text: [
          'SELECT part, toFloat64(number) AS due, body FROM weir.saved_log FINAL',
          `WHERE kind = 'run' AND name = {name:String} ORDER BY number DESC, part LIMIT ${limit}`,
        ].join(' '),
        params: { name },
      })
      return rows.map(({ part, due, body }) => ({
        name,
        part,
        due,
        ...(parseJson(body, 'a run') as unknown as Omit<Run, 'name' | 'part' | 'due'>),
      }))
    },

    /** The runs that were asked for and have ended. */
    askedRuns: (): Promise<AskedRun[]> =>
      clickhouse.rows<AskedRun>({
        text: [
          'SELECT name, part, toFloat64(number) AS due FROM weir.saved_log',
          "WHERE kind = 'run' AND place = 1 AND at > toUnixTimestamp64Micro(now64(6)) - 172800000000",
        ].join(' '),
        params: {},
      }),

    askRun: ({ name, part, due }: AskedRun): Promise<void> =>
      clickhouse.insert({ table, rows: Buffer.from(line({ kind: 'ask', name, part, number: due, at: due })) }),

    /** The runs that were asked for since a moment and have not ended. */
    async asked(since: number): Promise<AskedRun[]> {
      const rows = await clickhouse.rows<AskedRun>({
        text: [
          'SELECT name, part, toFloat64(number) AS due FROM weir.saved_log FINAL',
          "WHERE kind = 'ask' AND at > {since:Int64} AND (name, part, number) GLOBAL NOT IN",
          "(SELECT name, part, number FROM weir.saved_log WHERE kind = 'run' AND place = 1) ORDER BY number LIMIT 1000",
        ].join(' '),
        params: { since },
      })
      return rows
    },
  }
}

export type WatchStore = ReturnType<typeof createWatchStore>
