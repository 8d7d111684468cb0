import { z } from 'zod'
import { fault } from '../../base/faults.ts'
import { isObject, parseJson } from '../../base/json.ts'
import { paramTexts } from '../../sql/analysts/param-texts.ts'
import { checkSentParams } from '../../sql/saved/sent-params.ts'

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

const rightForm = 'send JSON, {"sql": "<the statement>"}'

/** A body that is no JSON: most often a statement that stands alone. */
const bare = (body: string): string =>
  body.trim() === '' ? 'empty' : 'a text that is no JSON, such as a statement alone'

const members = Object.keys(sqlOnWire.shape)

export function readSql(body: string): AskedSql {
  if (!/^\s*[{["\d-]/.test(body)) throw fault('invalid', `the body is ${bare(body)}; ${rightForm}`)
  const wire = parseJson(body, 'the body')
  if (!isObject(wire)) throw fault('invalid', rightForm)
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
  checkSentParams(read.data.sql, params)
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

const asTexts = (values: Readonly<Record<string, string | number | boolean>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]))
