/** A saved question, as `PUT /saved/N` takes it. */
import { z } from 'zod'
import { createProblems, type Problems } from '../../base/decode/problems.ts'
import { text, wholeNumber } from '../../base/decode/values.ts'
import { createWireObject, type WireObject } from '../../base/decode/wire-object.ts'
import { fault } from '../../base/faults.ts'
import { isObject, type Json, writeJson } from '../../base/json.ts'
import { hint } from '../../base/suggest.ts'
import { isSymbol, isWord, oneStatement, takeFormat } from '../analysts/clauses.ts'
import { tokenize } from '../analysts/lexer.ts'
import { StatementRefusal } from '../analysts/refusal.ts'
import { clientName } from '../schema/values.ts'
import { type Placeholder, placeholdersOfSql, placeholdersOfWeir } from './placeholders.ts'
import { decodeSchedules, type Schedule, scheduleOnWire, scheduleToWire } from './schedule.ts'
import { anyOf, isSame, kinds, knownTypes, type ParameterType, readValue, typeOf } from './types.ts'
import { decodeWatch, type Watch, watchOnWire, watchToWire } from './watch.ts'

export const languages = ['sql', 'weir'] as const
export type Language = (typeof languages)[number]

export type Parameter = {
  readonly type: ParameterType
  /** The type as its definition names it, where that is otherwise than in the text. */
  readonly declared?: string
  readonly default?: Json
  /** The values that it may have; absent for all of its type. */
  readonly values?: readonly Json[]
  readonly min?: number | bigint
  readonly max?: number | bigint
  readonly description?: string
}

export type SavedQuestion = {
  readonly sql: string
  /** Of tables that are named without one. */
  readonly db?: string
  readonly language: Language
  readonly params: Readonly<Record<string, Parameter>>
  readonly description?: string
  /** Seconds that an answer serves for further requests; 0 for none. */
  readonly cache_s: number
  readonly watch?: Watch
  readonly schedule: readonly Schedule[]
}

/** The longest text, in characters, and the largest definition, in bytes. */
const maxText = 60_000
const maxBytes = 100_000
const maxParams = 100
const maxValues = 1_000
const maxCache_s = 86_400

/** Names of the members of a request for rows that are not parameters of the question. */
export const reserved = ['format', 'limit', 'cursor', 'version'] as const

const anyValue = z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.unknown())])

export const parameterOnWire = z.object({
  type: z
    .string()
    .optional()
    .meta({ description: `one of ${kinds.join(', ')}, or ClickHouse's name of it; absent: that of the text` }),
  default: anyValue.optional().meta({ description: 'the value where a request has none; absent: it has to have one' }),
  values: z.array(anyValue).optional().meta({ description: 'the values that it may have' }),
  min: z.number().optional().meta({ description: 'of an integer or a number' }),
  max: z.number().optional().meta({ description: 'of an integer or a number' }),
  description: z.string().optional(),
})

export const questionOnWire = z.object({
  sql: z.string().min(1).meta({ description: 'the text of the question; {name:Type} in it is a parameter' }),
  db: clientName.optional().meta({ description: 'the database of tables that are named without one' }),
  language: z
    .enum(languages)
    .optional()
    .meta({ description: "sql: analysts' SQL, if absent; weir: that of POST /db/D/query" }),
  params: z.record(z.string(), parameterOnWire).optional(),
  description: z.string().optional(),
  cache_s: z
    .int()
    .min(0)
    .max(maxCache_s)
    .optional()
    .meta({ description: 'seconds that an answer serves for equal requests; 0 if absent' }),
  watch: watchOnWire.optional().meta({ description: 'makes the question an alert' }),
  schedule: z.array(scheduleOnWire).optional().meta({ description: 'times at which the answer is sent or kept' }),
})

const number = z.union([z.number(), z.bigint()], 'must be a number').optional()
const line = text.max(10_000, 'must be at most 10000 characters long').optional()
const questionText = text.min(1, 'must not be empty').max(maxText, `must be at most ${maxText} characters long`)
const language = z.enum(languages, `must be ${languages.join(' or ')}`).default('sql')

/**
 * A good definition; a `Refusal` says all that is wrong with another one. One that is kept was good for the Weir that kept it:
 * what is wrong with it by now is a failure of its answers.
 */
export function decodeQuestion(wire: Json, { isKept = false } = {}): SavedQuestion {
  if (!isObject(wire)) throw fault('invalid', 'send {"sql": "<question>"}')
  if (Buffer.byteLength(writeJson(wire)) > maxBytes)
    throw fault('invalid', `the question has over ${maxBytes} bytes; shorten it`)
  const problems = createProblems()
  const refuse = (): void => {
    if (!isKept) problems.refuse()
  }
  const object = createWireObject(wire, '', problems)
  refuseUnknown(object, wire, questionOnWire.shape)
  const sql = object.take('sql', questionText)
  const db = object.take('db', clientName.optional())
  const spoken = object.take('language', language) ?? 'sql'
  const description = object.take('description', line)
  const cache_s = object.take('cache_s', wholeNumber(0, maxCache_s).default(0)) ?? 0
  const watch = decodeWatch(object, wire.watch)
  const schedule = decodeSchedules(object, wire.schedule)
  refuse()
  const { params: given = {} } = wire
  const found = sql === undefined ? [] : placeholdersIn(sql, spoken)
  if (!isObject(given)) throw fault('invalid', 'params: must be an object of parameters by their names')
  const params = decodeParameters(given, found, spoken, problems)
  const open = Object.keys(params).find((name) => params[name]?.default === undefined)
  if (watch && open !== undefined)
    object.fail('watch', `asks with the defaults of all parameters, and ${open.slice(0, 64)} has none`)
  refuseOtherValues(object, schedule, params)
  refuse()
  return {
    schedule,
    sql: sql ?? '',
    language: spoken,
    params,
    cache_s,
    ...(db !== undefined && { db }),
    ...(description !== undefined && { description }),
    ...(watch && { watch }),
  }
}

/** Refuses values of a schedule that are not the question's, and parameters that have neither a value nor a default. */
function refuseOtherValues(
  question: WireObject,
  schedule: readonly Schedule[],
  params: Readonly<Record<string, Parameter>>,
): void {
  schedule.forEach((each, n) => {
    const fail = (says: string): void => question.fail(`schedule[${n}].params`, says)
    for (const name of Object.keys(each.params))
      if (!Object.hasOwn(params, name)) fail(`${name.slice(0, 64)} is no parameter${hint(name, Object.keys(params))}`)
    for (const [name, parameter] of Object.entries(params)) {
      const value = Object.hasOwn(each.params, name) ? each.params[name] : parameter.default
      if (value === undefined) fail(`${name} is missing: it has no default`)
      else {
        const read = checkValue(value, parameter)
        if ('problem' in read) fail(`${name} ${read.problem}`)
      }
    }
  })
}

function refuseUnknown(object: WireObject, wire: { readonly [name: string]: Json }, known: object): void {
  const names = Object.keys(known)
  for (const name of Object.keys(wire)) if (!names.includes(name)) object.fail(name, `is unknown${hint(name, names)}`)
}

/** The parameters in a text, and what else is wrong with it that needs no question to ClickHouse. */
function placeholdersIn(sql: string, spoken: Language): Placeholder[] {
  if (spoken === 'weir') return placeholdersOfWeir(sql)
  try {
    const tokens = oneStatement(tokenize(sql))
    if (takeFormat(tokens).format !== undefined)
      throw fault('invalid', 'sql: leave FORMAT out: each request chooses one by ?format=')
    const first = tokens.find((token) => !isSymbol(token, '('))
    if (!isWord(first, 'SELECT', 'WITH', 'FROM'))
      throw fault(
        'invalid',
        `sql: a saved question is a SELECT, and this begins with ${(first?.text ?? 'nothing').slice(0, 40)}`,
      )
    return placeholdersOfSql(tokens)
  } catch (error) {
    throw error instanceof StatementRefusal ? fault('invalid', `sql: ${error.message}`) : error
  }
}

function decodeParameters(
  given: { readonly [name: string]: Json },
  found: readonly Placeholder[],
  spoken: Language,
  problems: Problems,
): Record<string, Parameter> {
  const inText = new Map<string, string>()
  for (const { name, type } of found) {
    const known = inText.get(name)
    if (known !== undefined && known !== type) problems.add('sql', `{${name}:${type}} has the type ${known} before`)
    inText.set(name, known ?? type)
  }
  if (inText.size > maxParams)
    throw fault('invalid', `sql: has ${inText.size} parameters, over the ${maxParams} there may be`)
  const object = createWireObject(given, 'params', problems)
  for (const name of Object.keys(given)) {
    if (!inText.has(name))
      object.fail(name, `is not in the text: write {${name.slice(0, 40)}:String} where its value goes`)
  }
  const decoded: [string, Parameter][] = []
  for (const [name, type] of inText) {
    if (reserved.some((each) => each === name.toLowerCase()))
      problems.add('sql', `a parameter is not called ${name}, which each request for rows has a meaning for`)
    const parameter = decodeParameter(object, given, name, type, spoken)
    if (parameter) decoded.push([name, parameter])
  }
  return Object.fromEntries(decoded)
}

function decodeParameter(
  params: WireObject,
  given: { readonly [name: string]: Json },
  name: string,
  written: string,
  spoken: Language,
): Parameter | undefined {
  const type = typeOf(written)
  const fail = (says: string): undefined => void params.fail(name, says)
  if (!type)
    return fail(`has the type ${written.slice(0, 60)} in the text, which no parameter has; there are ${knownTypes}`)
  if (spoken === 'weir' && (type.isList || type.isNullable))
    return fail(`is a ${written}, and Weir's language takes one value that is there`)
  const wire = Object.hasOwn(given, name) ? given[name] : undefined
  if (wire === undefined || wire === null) return { type }
  if (!isObject(wire)) return fail('must be an object such as {"type": "text"}')
  const object = params.object(name)
  if (!object) return undefined
  refuseUnknown(object, wire, parameterOnWire.shape)
  const declared = object.take('type', text.optional())
  const as = declared === undefined ? type : typeOf(declared)
  if (!as) object.fail('type', `is none of ${kinds.join(', ')}, ${knownTypes}`)
  else if (as.kind !== type.kind || as.isList !== type.isList)
    object.fail('type', `is ${as.name}, and the text has {${name}:${written}}`)
  const [min, max] = [object.take('min', number), object.take('max', number)]
  const isNumeric = type.kind === 'integer' || type.kind === 'number'
  if ((min !== undefined || max !== undefined) && !isNumeric)
    object.fail('min', `and max go with numbers, and it is ${type.name}`)
  if (min !== undefined && max !== undefined && min > max) object.fail('min', `is ${min}, and max ${max}`)
  const values = decodeValues(object, wire.values, {
    type,
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
  })
  const description = object.take('description', line)
  const parameter: Parameter = {
    type,
    ...(declared !== undefined && declared !== type.name && { declared }),
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    ...(values && { values }),
    ...(description !== undefined && { description }),
  }
  if (wire.default === undefined) return parameter
  const read = checkValue(wire.default, parameter)
  if ('problem' in read) object.fail('default', read.problem)
  // The value as its sender wrote it, in which a time keeps its form.
  return { ...parameter, default: wire.default }
}

function decodeValues(object: WireObject, wire: Json | undefined, parameter: Parameter): Json[] | undefined {
  if (wire === undefined || wire === null) return undefined
  if (!Array.isArray(wire) || wire.length === 0)
    return void object.fail('values', 'must be a list of the values that it may have')
  if (wire.length > maxValues)
    return void object.fail('values', `has ${wire.length} items, over the ${maxValues} there may be`)
  const element = { ...parameter, type: { ...parameter.type, isList: false } }
  wire.forEach((value, at) => {
    const read = checkValue(value, element)
    if ('problem' in read) object.fail(`values[${at}]`, read.problem)
  })
  return wire
}

/** A value of a request, as the type has it, or why the parameter may not have it. */
export function checkValue(value: Json, { type, values, min, max }: Parameter): ReturnType<typeof readValue> {
  const read = readValue(value, type)
  if ('problem' in read) return read
  for (const each of type.isList && Array.isArray(value) ? value : [value]) {
    if (values && each !== null && !values.some((one) => isSame(one, each)))
      return { problem: `must be one of ${shown(values)}` }
    if (typeof each !== 'number' && typeof each !== 'bigint') continue
    if (min !== undefined && each < min) return { problem: `must be at least ${min}` }
    if (max !== undefined && each > max) return { problem: `must be at most ${max}` }
  }
  return read
}

const shown = (values: readonly Json[]): string => {
  const rest = values.length > 20 ? ` and ${values.length - 20} more` : ''
  return (
    values
      .slice(0, 20)
      .map((each) => writeJson(each))
      .join(', ') + rest
  )
}

/** Values by which a question is checked before anybody asks it: the defaults, and others that are allowed. */
export const trialValues = (params: SavedQuestion['params']): Record<string, Json> =>
  Object.fromEntries(
    Object.entries(params).map(([name, parameter]) => {
      const { type, values, min, default: usual } = parameter
      const value = usual ?? (values?.[0] !== undefined && !type.isList ? values[0] : min)
      const read = value === undefined || value === null ? undefined : readValue(value, type)
      return [name, read && 'value' in read ? read.value : anyOf(type)]
    }),
  )

/** Whether a trial goes by values that the definition does not name. */
export const hasMadeUpValues = (params: SavedQuestion['params']): boolean =>
  Object.values(params).some((each) => each.default === undefined && each.values === undefined)

/** A question as `GET /saved/N` shows it, and as the catalogue has it. */
export const questionToWire = ({ params, ...question }: SavedQuestion): { readonly [name: string]: Json } => {
  const { db, description, watch } = question
  return {
    sql: question.sql,
    language: question.language,
    ...(db !== undefined && { db }),
    ...(description !== undefined && { description }),
    cache_s: question.cache_s,
    params: Object.fromEntries(
      Object.entries(params).map(([name, { type, declared = type.name, values, ...rest }]) => [
        name,
        { type: declared, ...rest, ...(values && { values: [...values] }) },
      ]),
    ),
    ...(watch && { watch: watchToWire(watch) }),
    ...(question.schedule.length > 0 && { schedule: question.schedule.map(scheduleToWire) }),
  }
}
