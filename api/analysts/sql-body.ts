import { z } from 'zod'
import { fault } from '../../base/faults.ts'
import { isObject, type Json, parseJson } from '../../base/json.ts'
import { literal } from '../../sql/literal.ts'

/** The kinds of a parameter, in the document; `paramText` reads it. */
const parameter = z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.unknown())])
const texts = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional()

/** The body of `POST /sql`. */
export const sqlOnWire = z.strictObject({
  sql: z.string().min(1),
  format: z.string().optional().meta({ description: 'where the statement names none; JSON' }),
  database: z.string().optional().meta({ description: 'of tables that are named without one' }),
  query_id: z.string().max(200).optional().meta({ description: 'KILL QUERY finds it' }),
  params: z
    .record(z.string(), parameter)
    .optional()
    .meta({ description: 'values of {name:Type} in the statement; a list for an Array, null for a Nullable' }),
  eventual: z.boolean().optional().meta({ description: 'true: what was acknowledged before it need not be there' }),
  settings: texts.meta({ description: 'of formats and expressions, and lower limits' }),
})

export type AskedSql = {
  readonly sql: string
  readonly format: string
  readonly eventual: boolean
  readonly database?: string
  readonly queryId?: string
  readonly params: Readonly<Record<string, string>>
  readonly settings: Readonly<Record<string, string>>
}

/** Parameters, and settings, of one statement. */
const maxNamed = 1000

const members = Object.keys(sqlOnWire.shape)

export function readSql(body: string): AskedSql {
  const wire = parseJson(body, 'the body')
  if (!isObject(wire)) throw fault('invalid', 'send {"sql": "<statement>"}')
  const stray = Object.keys(wire).find((name) => !members.includes(name))
  if (stray !== undefined) throw fault('invalid', `${stray} is not known; there are ${members.join(', ')}`)
  for (const name of ['params', 'settings'] as const) {
    const given = wire[name]
    if (isObject(given) && Object.keys(given).length > maxNamed)
      throw fault('invalid', `${name}: has more than ${maxNamed.toLocaleString('en-US')} members`)
  }
  const { params = {}, ...rest } = wire
  if (!isObject(params)) throw fault('invalid', `params: ${wanted.params}`)
  const read = sqlOnWire.safeParse(rest)
  if (!read.success) {
    const [name = 'sql'] = read.error.issues[0]?.path ?? []
    throw fault('invalid', `${String(name)}: ${wanted[String(name)] ?? 'send a text'}`)
  }
  const { sql, format = 'JSON', eventual = false, database, query_id, settings = {} } = read.data
  return {
    sql,
    format,
    eventual,
    ...(database && { database }),
    ...(query_id && { queryId: query_id }),
    params: paramTexts(sql, params),
    settings: asTexts(settings),
  }
}

const wanted: Readonly<Record<string, string>> = {
  sql: 'send a statement, "SELECT ..."',
  params: 'send an object of values by the names of the parameters',
  eventual: 'write true for an answer that waits for nothing, or leave it out',
  settings: 'send an object of values by the names of the settings',
}

/**
 * Values as ClickHouse reads those of parameters: a text has escapes where the statement declares a String, and stands in
 * quotes within a list. Text for any other type is ClickHouse's own notation of it: `['DE']`.
 */
function paramTexts(sql: string, params: { [name: string]: Json }): Record<string, string> {
  const declared = new Map([...sql.matchAll(/\{\s*(\w+)\s*:\s*([\w(]+)/g)].map(([, name, type]) => [name, type]))
  const isText = (name: string): boolean =>
    /^(?:LowCardinality\(|Nullable\()*(?:Fixed)?String(?:\(|$)/.test(declared.get(name) ?? '')
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value === 'string' && isText(name) ? literal(value, 'String').slice(1, -1) : paramText(name, value),
    ]),
  )
}

function paramText(name: string, value: Json): string {
  if (value === null) return '\\N'
  if (Array.isArray(value)) return `[${value.map((each) => elementText(name, each)).join(',')}]`
  if (isObject(value))
    throw fault('invalid', `params.${name}: send a text, a number, true, false, null or a list of these`)
  return String(value)
}

function elementText(name: string, value: Json): string {
  if (value === null) return 'NULL'
  return typeof value === 'string' ? literal(value, 'String') : paramText(name, value)
}

const asTexts = (values: Readonly<Record<string, string | number | boolean>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]))
