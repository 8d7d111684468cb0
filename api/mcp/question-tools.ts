import { z } from 'zod'
import { isObject, type Json, parseJson, writeJson } from '../../base/json.ts'
import { maxRows, roomFor, sizeOf } from './bounds.ts'
import type { Inner } from './inner.ts'
import { isFine, schemaShown, type Told, type Tool, tool, words } from './tool.ts'

/** Tools of saved questions; those beyond it are asked by their address. */
const maxTools = 200
const maxValue = 10_000

const kinds: Readonly<Record<string, () => z.ZodType>> = {
  integer: () => z.number().int(),
  number: () => z.number(),
  boolean: () => z.boolean(),
}

type Wire = { readonly [name: string]: Json }

/** An argument of a tool: the call behind it checks the value. */
function argumentOf(parameter: Json | undefined): z.ZodType {
  const { type = 'text', values, description, default: usual } = isObject(parameter) ? parameter : {}
  const name = String(type)
  const plain = /Int\d/.test(name) ? 'integer' : /Float/.test(name) ? 'number' : name === 'Bool' ? 'boolean' : name
  const one = name.startsWith('Array(') ? z.array(z.unknown()) : (kinds[plain]?.() ?? z.string().max(maxValue))
  const told = [description, Array.isArray(values) ? `one of ${writeJson(values)}` : undefined, `${name}`]
  const described = one.meta({
    description: told
      .filter((each) => typeof each === 'string')
      .join('; ')
      .slice(0, 2_000),
  })
  return usual === undefined ? described : described.optional()
}

function toolOf(question: Wire, taken: ReadonlySet<string>): Tool {
  const name = String(question.name)
  const params = isObject(question.params) ? question.params : {}
  const shown = z.strictObject({
    ...Object.fromEntries(Object.entries(params).map(([each, parameter]) => [each, argumentOf(parameter)])),
    limit: z.int().min(1).max(maxRows).optional().meta({ description: 'of rows: 100 and 20 KB if absent' }),
    cursor: words('of the answer before: goes on behind it').optional(),
  })
  const { description } = question
  return tool(
    taken.has(name) ? `saved_${name}` : name,
    ['read'],
    'reads',
    `${typeof description === 'string' ? description : `The rows of the saved question ${name}`} (a saved question)`,
    z.record(
      z.string(),
      z.custom<Json>(() => true),
    ),
    (given, inner) => ask(name, given, inner),
    schemaShown(shown),
  )
}

async function ask(name: string, given: Wire, inner: Inner): Promise<Told> {
  const { limit } = given
  const room = roomFor(typeof limit === 'number' ? Math.min(limit, maxRows) : undefined)
  let rows = room.rows
  for (;;) {
    const body = writeJson({ ...given, limit: rows })
    const answer = await inner({ method: 'POST', path: `/saved/${encodeURIComponent(name)}/rows`, body })
    if (!isFine(answer)) return answer
    const size = sizeOf(answer.text)
    if (size > room.bytes && rows > 1) {
      // Asked anew: no row is left out between two pages.
      rows = Math.max(1, Math.floor((rows * room.bytes * 0.8) / size))
      continue
    }
    const told = parseJson(answer.text, 'the answer')
    const { cursor, ...kept } = isObject(told) ? told : {}
    const shown = { ...answer, room, text: writeJson(kept) }
    if (typeof cursor !== 'string') return shown
    return { ...shown, more: `rows remain: call again with the same arguments and cursor ${cursor}` }
  }
}

/** A tool for each saved question that the caller may ask, of its name and with its parameters. */
export async function questionTools(inner: Inner, others: readonly Tool[]): Promise<Tool[]> {
  const answer = await inner({ method: 'GET', path: `/saved?limit=${maxTools}` })
  if (!isFine(answer)) return []
  const told = parseJson(answer.text, 'the answer')
  const list = isObject(told) && Array.isArray(told.saved) ? told.saved : []
  const taken = new Set(others.map(({ name }) => name))
  return list.filter(isObject).map((question) => toolOf(question, taken))
}

/** An object that the call behind the tool checks. */
const anything = z.record(
  z.string(),
  z.custom<Json>(() => true),
)

const time = z.union([z.string(), z.int()])

export const testWatch = tool(
  'test_watch',
  ['read'],
  'reads',
  'Says when the watch of a saved question would have fired and resolved between two times, over the events that are stored; or one that is not saved yet. Sends nothing, and changes nothing.',
  z.strictObject({
    name: words('the saved question; save_question gives it a watch'),
    watch: anything
      .optional()
      .meta({ description: 'one to try in place of the saved one: {"when": "p95 > 800", ...}' }),
    sql: words('a SELECT to try, of a question that need not be there; it takes define').optional(),
    db: words('the database of its tables that are named without one').optional(),
    params: anything.optional().meta({ description: 'of that SELECT, by name; each has a default' }),
    from: time.meta({ description: 'a time such as 2026-11-29T00:00:00Z, or microseconds since 1970' }),
    to: time.meta({ description: 'the same; 1,500 evaluations lie between them at most' }),
  }),
  async ({ name, ...request }, inner) => {
    const body = writeJson(request as Wire)
    const answer = await inner({ method: 'POST', path: `/saved/${encodeURIComponent(name)}/test`, body })
    if (!isFine(answer)) return answer
    const told = parseJson(answer.text, 'the answer')
    // The values of each evaluation are for charts.
    const { series: _, ...kept } = isObject(told) ? told : {}
    return { ...answer, text: writeJson(kept), whenCut: () => 'ask for a shorter time to see all of it' }
  },
)

export const saveQuestion = tool(
  'save_question',
  ['define'],
  'changes',
  'Saves a question under a name: from then on it is a tool of that name, and an address for pages. A {name:Type} in its SQL is a parameter. It says all of the question: a watch or a schedule that is left out is taken away. dry tries it, and changes nothing.',
  z.strictObject({
    name: words('the name of the question: letters, digits and underscore'),
    sql: words("the SELECT, in ClickHouse's SQL"),
    params: z
      .record(
        z.string(),
        z.custom<Json>(() => true),
      )
      .optional()
      .meta({ description: 'by name: {"type": "text", "default"?, "values"?, "min"?, "max"?, "description"?}' }),
    description: words('what it answers, for its readers').optional(),
    db: words('the database of tables that are named without one').optional(),
    cache_s: z.int().min(0).max(86_400).optional().meta({ description: 'seconds that an answer may be old' }),
    watch: anything.optional().meta({
      description:
        'makes it an alert: {"when": "p95 > 800", "every"?: 60, "key"?: ["page"], "for"?: 180, "keep"?: 300, "notf"?: 7}, in seconds; test_watch tries it over the past',
    }),
    schedule: z.array(anything).optional().meta({
      description: 'times at which its answer is sent: [{"cron": "0 6 * * MON", "tz"?: "Europe/Berlin", "notf": 7}]',
    }),
    dry: z.boolean().optional(),
  }),
  ({ name, dry, ...question }, inner) =>
    inner({
      method: 'PUT',
      path: `/saved/${encodeURIComponent(name)}${dry ? '?dry=1' : ''}`,
      body: writeJson(question as Wire),
    }),
)
