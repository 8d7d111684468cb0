import { writeExactJson } from '../base/exact-json.ts'
import { Refusal } from '../base/refusal.ts'

/** One parameter of an algorithm: it decodes requests, and `GET /ml/algorithms` shows it. */
export type Parameter = {
  readonly name: string
  /** Other names that requests may use. */
  readonly aliases?: readonly string[]
  readonly type: 'integer' | 'number' | 'text' | 'list'
  /** Absent: the algorithm chooses by the data, and `description` says how. */
  readonly default?: ParameterValue
  /** Bounds are inclusive; of a list they bound each entry that is a number. */
  readonly min?: number
  readonly max?: number
  readonly oneOf?: readonly (number | string)[]
  /** Names that requests may use in any case for numeric codes: `{ C_SVC: 0 }`. */
  readonly codes?: Readonly<Record<string, number>>
  readonly description: string
}

type Entry = number | string
export type ParameterValue = Entry | readonly Entry[]

/** Plain data, so that it can be sent to a worker thread; a parameter without a default may be absent. */
export type Parameters = Readonly<Record<string, ParameterValue>>

const maxProblems = 100

/** Throws a `Refusal` that names the faults: unknown names, wrong types, values out of range. */
export function decodeParameters(table: readonly Parameter[], body: Readonly<Record<string, unknown>>): Parameters {
  const problems: string[] = []
  const byName = new Map(table.flatMap((p) => [p.name, ...(p.aliases ?? [])].map((name) => [name, p] as const)))
  const given = new Map<Parameter, string>()
  const decoded: Record<string, ParameterValue> = {}
  for (const p of table) if (p.default !== undefined) decoded[p.name] = p.default
  for (const [name, raw] of Object.entries(body)) {
    if (problems.length === maxProblems) throw new Refusal([...problems, 'and more'])
    const parameter = byName.get(name)
    if (parameter === undefined) {
      problems.push(`unknown parameter '${name}'; known are ${table.map((p) => p.name).join(', ')}`)
      continue
    }
    const earlier = given.get(parameter)
    if (earlier !== undefined) {
      problems.push(`'${earlier}' and '${name}' name the same parameter; give one`)
      continue
    }
    given.set(parameter, name)
    const value = decodeValue(parameter, raw)
    if (value === undefined)
      problems.push(`parameter '${name}' is ${writeExactJson(raw)}; it must be ${expectation(parameter)}`)
    else decoded[parameter.name] = value
  }
  if (problems.length > 0) throw new Refusal(problems)
  return decoded
}

/** The table with other defaults. */
export const withDefaults = (
  table: readonly Parameter[],
  defaults: Readonly<Record<string, ParameterValue>> = {},
): readonly Parameter[] =>
  table.map((parameter) => {
    const value = defaults[parameter.name]
    return value === undefined ? parameter : { ...parameter, default: value }
  })

function decodeValue(parameter: Parameter, raw: unknown): ParameterValue | undefined {
  if (parameter.type !== 'list') return decodeEntry(parameter, raw)
  const entries = Array.isArray(raw)
    ? raw
    : typeof raw === 'string'
      ? raw.split(/[\s,]+/).filter((e) => e !== '')
      : [raw]
  const decoded = entries.map((entry) => decodeEntry(parameter, entry))
  return decoded.every((entry) => entry !== undefined) ? decoded : undefined
}

function decodeEntry(parameter: Parameter, raw: unknown): Entry | undefined {
  const entry = entryOfType(parameter, raw)
  if (entry === undefined) return undefined
  if (typeof entry === 'number' && (entry < (parameter.min ?? -Infinity) || entry > (parameter.max ?? Infinity))) {
    return undefined
  }
  return parameter.oneOf === undefined || parameter.oneOf.includes(entry) ? entry : undefined
}

function entryOfType({ type, codes, oneOf, min, max }: Parameter, raw: unknown): Entry | undefined {
  if (codes !== undefined && typeof raw === 'string') {
    const code = Object.entries(codes).find(([name]) => name.toLowerCase() === raw.trim().toLowerCase())
    if (code !== undefined) return code[1]
  }
  if (type === 'text') return typeof raw === 'string' ? raw : undefined
  // A list without bounds holds names, which stay as they are written: where labels are texts, '007' is not 7.
  if (type === 'list' && min === undefined && max === undefined && typeof raw === 'string') return raw
  const number = typeof raw === 'boolean' ? flagFrom(raw, oneOf) : numberFrom(raw)
  if (type === 'list') return number ?? (typeof raw === 'string' ? raw : undefined)
  return type === 'integer' && !Number.isSafeInteger(number) ? undefined : number
}

/** `true` and `false` for flags: parameters that are 0 or 1. */
const flagFrom = (raw: boolean, oneOf: Parameter['oneOf'] = []): number | undefined =>
  oneOf.includes(Number(raw)) && oneOf.every((value) => value === 0 || value === 1) ? Number(raw) : undefined

/** JSON numbers, and numbers as text. */
function numberFrom(raw: unknown): number | undefined {
  if (typeof raw === 'bigint') return Number(raw)
  const number = typeof raw === 'string' && raw.trim() !== '' ? Number(raw) : raw
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

function expectation({ type, min, max, oneOf, codes }: Parameter): string {
  const kinds = { integer: 'an integer', number: 'a number', text: 'a text', list: 'a list' } as const
  const choices = codes === undefined ? oneOf : Object.entries(codes).map(([name, code]) => `${code} (${name})`)
  if (choices !== undefined) return `one of ${choices.join(', ')}`
  const from = min === undefined ? '' : ` from ${min}`
  const to = max === undefined ? '' : ` to ${max}`
  return `${kinds[type]}${type === 'list' && from + to !== '' ? ' with entries' : ''}${from}${to}`
}

/** The decoded number; the fallback stands for a parameter that has no default in its table. */
export function numberOf(parameters: Parameters, name: string, fallback?: number): number {
  const value = parameters[name] ?? fallback
  if (typeof value !== 'number') throw new TypeError(`parameter '${name}' has no number`)
  return value
}

export function textOf(parameters: Parameters, name: string, fallback?: string): string {
  const value = parameters[name] ?? fallback
  if (typeof value !== 'string') throw new TypeError(`parameter '${name}' has no text`)
  return value
}

export function listOf(parameters: Parameters, name: string): readonly Entry[] {
  const value = parameters[name]
  if (value === undefined) return []
  return typeof value === 'object' ? value : [value]
}
