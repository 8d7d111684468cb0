/** A definition in words to begin with, read off events: their attributes, with the types that all of them fit. */
import { isObject } from './wire-schema.ts'

type Type = 'text' | 'integer' | 'number' | 'boolean' | 'json'
type Seen = { type: Type; fields: Fields | undefined; isMixed: boolean }
type Fields = Map<string, Seen>

export type Begun = { readonly definition: string } | { readonly problem: string }

const example = '{"customer": "ann", "price": 12.5}'
const maxFields = 200
const maxDepth = 4

export function definitionOf(text: string, schema: string, stream: string): Begun {
  const events = eventsIn(text)
  if (typeof events === 'string') return { problem: events }
  const fields: Fields = new Map()
  for (const event of events) look(event, fields, 1)
  // Weir gives each event these, or an event brings them: they need no declaration.
  for (const own of ['_pk', '_id', '_v']) fields.delete(own)
  if (fields.size === 0) return { problem: `The event has no member: paste one such as ${example}.` }
  if (fields.size > maxFields)
    return { problem: `The events have more than ${maxFields} members at their top: paste fewer.` }
  const attributes = linesOf(fields, '      ')
  return {
    definition: [
      `schema: ${keyOf(schema)}`,
      'streams:',
      `  ${keyOf(stream)}:`,
      '    keep: 90d',
      '    attributes:',
      ...attributes,
      '',
    ].join('\n'),
  }
}

/** One event, several in a list, or one a line; a text says why there are none. */
function eventsIn(text: string): readonly Readonly<Record<string, unknown>>[] | string {
  if (text.trim() === '') return `Paste an event: a JSON object such as ${example}, or several, one a line.`
  const whole = parsed(text)
  const values =
    whole.value === undefined
      ? text
          .split('\n')
          .filter((line) => line.trim() !== '')
          .map(parsed)
      : undefined
  const broken = values?.findIndex(({ value }) => value === undefined) ?? -1
  if (values && broken >= 0) return `Line ${broken + 1} is no JSON: ${values[broken]?.reason ?? ''}`
  const events = values ? values.map(({ value }) => value) : [whole.value].flat()
  return events.every(isObject) && events.length > 0 ? events : `An event is a JSON object, such as ${example}.`
}

function parsed(text: string): { readonly value?: unknown; readonly reason?: string } {
  try {
    return { value: JSON.parse(text) }
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) }
  }
}

function look(event: Readonly<Record<string, unknown>>, fields: Fields, depth: number): void {
  for (const [name, value] of Object.entries(event)) {
    const type = typeOf(value)
    if (type === undefined) continue
    const there = fields.get(name)
    const seen = there ?? { type, fields: undefined, isMixed: false }
    if (!there) fields.set(name, seen)
    const isNumeric = [seen.type, type].every((each) => each === 'integer' || each === 'number')
    if (seen.type !== type && isNumeric) seen.type = 'number'
    else if (seen.type !== type) seen.isMixed = true
    if (!isObject(value) || depth >= maxDepth) continue
    seen.fields = seen.fields ?? new Map()
    look(value, seen.fields, depth + 1)
  }
}

/** A value that is null says no type. */
function typeOf(value: unknown): Type | undefined {
  if (value === null || value === undefined) return undefined
  if (typeof value === 'string') return 'text'
  if (typeof value === 'boolean') return 'boolean'
  return typeof value === 'number' ? (Number.isInteger(value) ? 'integer' : 'number') : 'json'
}

const name = /^[A-Za-z]\w{0,62}$/

/** In quotes where YAML would read another thing than a text. */
const keyOf = (text: string): string =>
  /^[A-Za-z_]\w*$/.test(text) && !/^(?:true|false|null)$/i.test(text) ? text : JSON.stringify(text)

function linesOf(fields: Fields, margin: string): readonly string[] {
  return [...fields].flatMap(([key, { type, fields: inner, isMixed }]): readonly string[] => {
    if (!name.test(key))
      return [`${margin}# ${JSON.stringify(key)}: a name has letters, digits and underscores, and begins with a letter`]
    if (isMixed) return [`${margin}# ${key}: the events have values of several types`]
    if (type === 'integer' || type === 'number') return [`${margin}${keyOf(key)}: { type: ${type}, stats: [summary] }`]
    const within = inner ? linesOf(inner, `${margin}    `) : []
    if (!within.some((line) => !line.trimStart().startsWith('#'))) return [`${margin}${keyOf(key)}: ${type}`]
    // A field has no statistic unless somebody asks for it.
    const plain = within.map((line) => line.replace(/\{ type: (\w+), stats: \[summary\] \}$/, '$1'))
    return [`${margin}${keyOf(key)}:`, `${margin}  type: json`, `${margin}  fields:`, ...plain]
  })
}
