/** The definition of a saved question, and its parameters as forms have them. */
import type { DescribeQuestionAnswer } from '../../api/calls.ts'
import { printJson } from '../../api/json.ts'

export type Described = DescribeQuestionAnswer
/** The properties of a view of a question. */
export type QuestionProps = { readonly described: Described; readonly onChanged: () => void }

export type Parameter = Described['params'][string]
export type Watch = NonNullable<Described['watch']>
export type Schedule = NonNullable<Described['schedule']>[number]

/** A question as `PUT /saved/N` takes it. */
export type Definition = Pick<
  Described,
  'sql' | 'language' | 'db' | 'description' | 'cache_s' | 'params' | 'watch' | 'schedule'
>

/** The definition in a description of a question, to be changed and sent back. */
export function definitionOf(described: Described): Definition {
  const { sql, language, db, description, cache_s, params, watch, schedule } = described
  return {
    ...{ sql, language, cache_s, params },
    ...(db !== undefined && { db }),
    ...(description !== undefined && { description }),
    ...(watch && { watch }),
    ...(schedule && { schedule }),
  }
}

/** Texts and quoted names, within which nothing is a parameter, or a parameter. */
const parts =
  /'(?:[^'\\]|\\.)*'?|"(?:[^"\\]|\\.)*"?|`[^`]*`?|--[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?|\{\s*([A-Za-z_]\w*)\s*:([^{}]*)\}/g

/** The parameters that stand in a text, each with its type, in their order. */
export function placeholdersIn(sql: string): readonly { readonly name: string; readonly type: string }[] {
  const found = new Map<string, string>()
  for (const [, name, type = ''] of sql.matchAll(parts))
    if (name !== undefined && !found.has(name)) found.set(name, type.trim())
  return Array.from(found, ([name, type]) => ({ name, type }))
}

export type Kind = 'text' | 'integer' | 'number' | 'boolean' | 'date' | 'time' | 'id'

const kinds: readonly (readonly [RegExp, Kind])[] = [
  [/^(?:U?Int\d+|integer)$/, 'integer'],
  [/^(?:Float\d+|number)$/, 'number'],
  [/^(?:Bool|boolean)$/, 'boolean'],
  [/^(?:Date|Date32|date)$/, 'date'],
  [/^(?:DateTime(?:64)?(?:\(.*\))?|time)$/, 'time'],
  [/^(?:UUID|id)$/, 'id'],
]

/** The kind of a parameter's values, and whether it takes a list of them. */
export function kindOf(type: string): { readonly kind: Kind; readonly isList: boolean } {
  const name = type.replaceAll(' ', '')
  const [, element] = /^Array\((.*)\)$/.exec(name) ?? []
  if (element !== undefined) return { kind: kindOf(element).kind, isList: true }
  const [, inner] = /^Nullable\((.*)\)$/.exec(name) ?? []
  if (inner !== undefined) return kindOf(inner)
  return { kind: kinds.find(([pattern]) => pattern.test(name))?.[1] ?? 'text', isList: false }
}

const kindTexts: Readonly<Record<Kind, string>> = {
  text: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  date: 'a date, such as 2026-11-29',
  time: 'a time, such as 2026-11-29T12:00:00Z',
  id: 'a UUID',
}

export const typeText = (type: string): string => {
  const { kind, isList } = kindOf(type)
  return isList ? `several, with commas between: each ${kindTexts[kind]}` : kindTexts[kind]
}

/** A text of a field as JSON. A text that is no value of the kind stays a text, which the service refuses in its own words. */
export function valueOf(text: string, type: string): unknown {
  const { kind, isList } = kindOf(type)
  return isList ? itemsOf(text).map((item) => plainValue(item, kind)) : plainValue(text, kind)
}

/** The values in a text that has commas between them. */
export const itemsOf = (text: string): readonly string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')

function plainValue(text: string, kind: Kind): unknown {
  const trimmed = text.trim()
  if (kind === 'boolean') return trimmed === 'true' ? true : trimmed === 'false' ? false : text
  if (kind !== 'integer' && kind !== 'number') return text
  if (/^[+-]?\d+$/.test(trimmed) && !Number.isSafeInteger(Number(trimmed))) return BigInt(trimmed)
  return trimmed !== '' && Number.isFinite(Number(trimmed)) ? Number(trimmed) : text
}

/** A value as its field shows it. */
export const textOf = (value: unknown): string =>
  value === undefined || value === null
    ? ''
    : Array.isArray(value)
      ? value.map(textOf).join(', ')
      : typeof value === 'object'
        ? printJson(value)
        : String(value)

/** A parameter as its form has it. */
export type Typed = {
  readonly name: string
  readonly type: string
  /** The type that the definition names beside that of the text. */
  readonly declared?: string
  readonly hasDefault: boolean
  readonly default: string
  readonly values: string
  readonly min: string
  readonly max: string
  readonly description: string
}

const nothingTyped = { hasDefault: false, default: '', values: '', min: '', max: '', description: '' }

/** The forms of the parameters in a text: as they were typed, else as the definition has them. */
export const typedOf = (
  sql: string,
  params: Definition['params'],
  typed: Readonly<Record<string, Typed>>,
): readonly Typed[] =>
  placeholdersIn(sql).map(({ name, type }) => {
    const before = typed[name]
    if (before) return { ...before, type }
    const known = params[name]
    if (!known) return { ...nothingTyped, name, type }
    return {
      ...{ name, type },
      ...(known.type !== undefined && { declared: known.type }),
      hasDefault: known.default !== undefined,
      default: textOf(known.default),
      values: textOf(known.values),
      min: textOf(known.min),
      max: textOf(known.max),
      description: known.description ?? '',
    }
  })

/** The parameters of a definition, of their forms. */
export const paramsOf = (all: readonly Typed[]): Definition['params'] =>
  Object.fromEntries(
    all.map(({ name, type, declared, hasDefault, default: usual, values, min, max, description }) => [
      name,
      {
        // A text that has another type by now leaves the old one.
        ...(declared !== undefined && kindOf(declared).kind === kindOf(type).kind && { type: declared }),
        ...(hasDefault && { default: valueOf(usual, type) as Parameter['default'] & {} }), // of the kind, or refused
        ...(itemsOf(values).length > 0 && {
          values: itemsOf(values).map((item) => plainValue(item, kindOf(type).kind)) as Parameter['values'] & {},
        }),
        ...(min.trim() !== '' && { min: plainValue(min, 'number') as number }),
        ...(max.trim() !== '' && { max: plainValue(max, 'number') as number }),
        ...(description.trim() !== '' && { description: description.trim() }),
      },
    ]),
  )

/** Texts by the names of parameters. */
export type Values = Readonly<Record<string, string>>

/** Typed values as an address has them: an empty field is left out, a list is one text of JSON. */
export const inAddress = (params: Readonly<Record<string, Parameter>>, types: Values, values: Values): Values =>
  Object.fromEntries(
    Object.keys(params).flatMap((name) => {
      const text = values[name] ?? ''
      if (text === '') return []
      const { kind, isList } = kindOf(types[name] ?? 'String')
      if (!isList) return [[name, text]]
      const isPlain = kind === 'integer' || kind === 'number' || kind === 'boolean'
      const items = itemsOf(text).map((item) => (isPlain ? item : JSON.stringify(item)))
      return [[name, `[${items.join(',')}]`]]
    }),
  )
