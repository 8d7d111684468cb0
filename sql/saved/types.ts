import { type Json, parseJson, writeJson } from '../../base/json.ts'

/** The kinds of values that a parameter may have, by the words for them. */
export const kinds = ['text', 'integer', 'number', 'boolean', 'date', 'time', 'id'] as const
export type Kind = (typeof kinds)[number]

/** The type of a parameter: ClickHouse's, read as far as values are checked by it. */
export type ParameterType = {
  /** As the text of the question writes it. */
  readonly name: string
  readonly kind: Kind
  /** The bounds of an integer; of a date or a time those in seconds since 1970, which ClickHouse would cut it to. */
  readonly bounds?: { readonly least: bigint; readonly most: bigint }
  /** Of a time that has no fractions of a second. */
  readonly isWhole?: boolean
  readonly isList: boolean
  readonly isNullable: boolean
}

const bits = (count: number): ParameterType['bounds'] => ({
  least: -(2n ** BigInt(count - 1)),
  most: 2n ** BigInt(count - 1) - 1n,
})
const unsigned = (count: number): ParameterType['bounds'] => ({ least: 0n, most: 2n ** BigInt(count) - 1n })

const secondsOf = (time: string): bigint => BigInt(Date.parse(time) / 1000)
const between = (least: string, most: string): NonNullable<ParameterType['bounds']> => ({
  least: secondsOf(least),
  most: secondsOf(most),
})

type Plain = Pick<ParameterType, 'kind' | 'bounds' | 'isWhole'>

/** The types by ClickHouse's names. */
const plainTypes: Readonly<Record<string, Plain>> = {
  String: { kind: 'text' },
  Bool: { kind: 'boolean' },
  ...Object.fromEntries([8, 16, 32, 64].map((count) => [`Int${count}`, { kind: 'integer', bounds: bits(count) }])),
  ...Object.fromEntries([8, 16, 32, 64].map((count) => [`UInt${count}`, { kind: 'integer', bounds: unsigned(count) }])),
  Float32: { kind: 'number' },
  Float64: { kind: 'number' },
  Date: { kind: 'date', bounds: between('1970-01-01', '2149-06-06') },
  Date32: { kind: 'date', bounds: between('1900-01-01', '2299-12-31') },
  DateTime: { kind: 'time', bounds: between('1970-01-01T00:00:00Z', '2106-02-07T06:28:15Z'), isWhole: true },
  DateTime64: { kind: 'time' },
  UUID: { kind: 'id' },
}

/** The type that a word stands for. */
const typeOfWord: Readonly<Record<Kind, string>> = {
  text: 'String',
  integer: 'Int64',
  number: 'Float64',
  boolean: 'Bool',
  date: 'Date',
  time: 'DateTime64(6)',
  id: 'UUID',
}

const isKind = (name: string): name is Kind => Object.hasOwn(typeOfWord, name)

const nested = (name: string, outer: string): string | undefined =>
  name.startsWith(`${outer}(`) && name.endsWith(')') ? name.slice(outer.length + 1, -1) : undefined

const maxName = 100

/** A type by ClickHouse's name of it, or by a word for it; undefined for all others. Blanks are nothing. */
export function typeOf(written: string): ParameterType | undefined {
  if (written.length > maxName) return undefined
  const name = written.replaceAll(' ', '')
  if (isKind(name)) return typeOf(typeOfWord[name])
  const element = nested(name, 'Array')
  if (element !== undefined) {
    const of = typeOf(element)
    return of && !of.isList ? { ...of, name, isList: true } : undefined
  }
  const inner = nested(name, 'Nullable')
  if (inner !== undefined) {
    const of = typeOf(inner)
    return of && !of.isList && !of.isNullable ? { ...of, name, isNullable: true } : undefined
  }
  // The precision and the zone of a time change no value.
  const [base = ''] = /^DateTime(?:64)?(?=\()/.exec(name) ?? [name]
  const found = Object.hasOwn(plainTypes, base) ? plainTypes[base] : undefined
  return found && { ...found, name, isList: false, isNullable: false }
}

/** The types that there are, for a refusal. */
export const knownTypes = `${Object.keys(plainTypes).join(', ')}, Array(...) and Nullable(...) of these`

const isoTime = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const numberText = /^[+-]?\d{1,400}(?:\.\d{1,400})?(?:e[+-]?\d{1,4})?$/i

/** The description of a value of each kind, as the end of a refusal. */
const wanted: Readonly<Record<Kind, string>> = {
  text: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  date: 'a date, 2026-11-29',
  time: 'a time, 2026-11-29T12:00:00Z',
  id: 'a UUID',
}

const maxTextBytes = 64 * 1024
const maxElements = 1_000

/** A value, or why it is none of the type: the rest of a sentence that begins with the parameter's name. */
export type Read = { readonly value: Json } | { readonly problem: string }

const problem = (says: string): Read => ({ problem: says })

function readText(value: Json): Read {
  if (typeof value !== 'string') return problem('must be a text')
  if (!value.isWellFormed()) return problem('has one half of a surrogate pair without the other')
  return Buffer.byteLength(value) > maxTextBytes ? problem(`is longer than ${maxTextBytes} bytes`) : { value }
}

function readInteger(value: Json, { bounds }: ParameterType): Read {
  const isWhole = typeof value === 'bigint' || (typeof value === 'number' && Number.isSafeInteger(value))
  if (!isWhole) return problem(`must be ${wanted.integer}`)
  const whole = BigInt(value)
  if (bounds && (whole < bounds.least || whole > bounds.most))
    return problem(`must be from ${bounds.least} to ${bounds.most}`)
  return { value }
}

const isoDay = /^\d{4}-\d{2}-\d{2}$/

/** The seconds since 1970 of a day that the calendar has; undefined of February 30. */
function secondsOfDay(day: string): number | undefined {
  const at_ms = isoDay.test(day) ? Date.parse(day) : Number.NaN
  return !Number.isNaN(at_ms) && new Date(at_ms).toISOString().startsWith(day) ? at_ms / 1000 : undefined
}

function problemOfBounds(seconds: number, { kind, bounds }: ParameterType): string | undefined {
  if (!bounds || (seconds >= bounds.least && seconds <= bounds.most)) return undefined
  const [least, most] = [bounds.least, bounds.most].map((each) => new Date(Number(each) * 1000).toISOString())
  return `must be from ${least?.slice(0, 10)} to ${kind === 'date' ? most?.slice(0, 10) : most?.replace('.000', '')}`
}

function readDate(value: Json, type: ParameterType): Read {
  const seconds = typeof value === 'string' ? secondsOfDay(value) : undefined
  if (seconds === undefined) return problem(`must be ${wanted.date}`)
  const outside = problemOfBounds(seconds, type)
  return outside === undefined ? { value } : problem(outside)
}

/** A time as the seconds since 1970 that ClickHouse reads whatever the zone of its process. */
function readTime(value: Json, type: ParameterType): Read {
  const date = typeof value === 'string' && isoTime.test(value) ? value : undefined
  if (date === undefined || secondsOfDay(date.slice(0, 10)) === undefined) return problem(`must be ${wanted.time}`)
  const [, fraction = ''] = /\.(\d+)/.exec(date) ?? []
  const hasZone = /(?:Z|[+-]\d{2}:?\d{2})$/.test(date.slice(10))
  const text = date.replace(' ', 'T').replace(/\.\d+/, '')
  const at_ms = Date.parse(date.length === 10 ? `${date}T00:00:00Z` : hasZone ? text : `${text}Z`)
  if (Number.isNaN(at_ms)) return problem(`must be ${wanted.time}`)
  const seconds = at_ms / 1000
  const outside = problemOfBounds(seconds, type)
  if (outside !== undefined) return problem(outside)
  const digits = withoutZeros(fraction)
  if (digits === '') return { value: String(seconds) }
  if (type.isWhole) return problem(`has a fraction of a second, and a ${type.name} has whole seconds`)
  // ClickHouse passes over the sign of -0.5.
  if (seconds === -1) return problem('lies in the last second before 1970, whose parts cannot be bound')
  return { value: withFraction(seconds, digits) }
}

function withoutZeros(fraction: string): string {
  let end = fraction.length
  while (fraction.charAt(end - 1) === '0') end--
  return fraction.slice(0, end)
}

/** A decimal number: of a time before 1970 its fraction counts back from the next whole second. */
function withFraction(seconds: number, digits: string): string {
  if (seconds >= 0) return `${seconds}.${digits}`
  const rest = String(10n ** BigInt(digits.length) - BigInt(digits)).padStart(digits.length, '0')
  return `-${-seconds - 1}.${rest}`
}

/** The greatest 32-bit float. */
const maxFloat32 = 3.4028234663852886e38

function readNumber(value: Json, { name }: ParameterType): Read {
  const isNumber = (typeof value === 'number' && Number.isFinite(value)) || typeof value === 'bigint'
  if (!isNumber) return problem(`must be ${wanted.number}`)
  return name.includes('Float32') && Math.abs(Number(value)) > maxFloat32
    ? problem(`must be from -${maxFloat32} to ${maxFloat32}`)
    : { value }
}

function readPlain(value: Json, type: ParameterType): Read {
  switch (type.kind) {
    case 'text':
      return readText(value)
    case 'integer':
      return readInteger(value, type)
    case 'number':
      return readNumber(value, type)
    case 'boolean':
      return typeof value === 'boolean' ? { value } : problem(`must be ${wanted.boolean}`)
    case 'date':
      return readDate(value, type)
    case 'time':
      return readTime(value, type)
    case 'id':
      return typeof value === 'string' && uuid.test(value) ? { value } : problem(`must be ${wanted.id}`)
  }
}

/** A value of JSON, as the type has it. */
export function readValue(value: Json, type: ParameterType): Read {
  if (type.isList) {
    if (!Array.isArray(value)) return problem(`must be a list: each of them ${wanted[type.kind]}`)
    if (value.length > maxElements) return problem(`has ${value.length} items, over the ${maxElements} there may be`)
    const element = { ...type, isList: false }
    const read = value.map((each) => readValue(each, element))
    const bad = read.findIndex((each) => 'problem' in each)
    const first = read[bad]
    if (first && 'problem' in first) return problem(`item ${bad} ${first.problem}`)
    return { value: read.flatMap((each) => ('value' in each ? [each.value] : [])) }
  }
  if (value === null) return type.isNullable ? { value } : problem(`must be ${wanted[type.kind]}, and not null`)
  return readPlain(value, type)
}

/** A value of an address, where all are texts, as JSON has it; a list as several texts, or as one of JSON. */
export function jsonOf(texts: readonly string[], type: ParameterType): Json | undefined {
  if (type.isList) {
    const [only = ''] = texts
    if (texts.length === 1 && only.startsWith('[')) return listIn(only)
    const element = { ...type, isList: false }
    const values = texts.map((text) => jsonOf([text], element))
    return values.some((value) => value === undefined) ? undefined : values.map((value) => value ?? null)
  }
  const [text = ''] = texts
  if (texts.length !== 1) return undefined
  switch (type.kind) {
    case 'integer':
      return /^[+-]?\d{1,20}$/.test(text) ? wholeOf(text) : undefined
    case 'number':
      return numberText.test(text) ? Number(text) : undefined
    case 'boolean':
      return text === 'true' || text === '1' ? true : text === 'false' || text === '0' ? false : undefined
    default:
      return text
  }
}

function wholeOf(text: string): number | bigint {
  const whole = BigInt(text.replace(/^\+/, ''))
  return whole >= Number.MIN_SAFE_INTEGER && whole <= Number.MAX_SAFE_INTEGER ? Number(whole) : whole
}

function listIn(text: string): Json | undefined {
  try {
    const list = parseJson(text, 'the list')
    return Array.isArray(list) ? list : undefined
  } catch {
    return undefined
  }
}

/** The refusal of an address whose text is no value of the type. */
export const wantedOf = ({ isList, kind }: ParameterType): string =>
  isList ? `must be a list: each of them ${wanted[kind]}` : `must be ${wanted[kind]}`

/** Some value of the type, by which a question is checked that has no other. */
export function anyOf({ kind, isList, bounds }: ParameterType): Json {
  const values: Readonly<Record<Kind, Json>> = {
    text: '',
    integer: bounds && bounds.least > 0n ? String(bounds.least) : 1,
    number: 1,
    boolean: true,
    date: '2026-01-01',
    time: '1767225600',
    id: '00000000-0000-0000-0000-000000000000',
  }
  return isList ? [values[kind]] : values[kind]
}

/** Whether two values of JSON are the same. */
export const isSame = (one: Json, other: Json): boolean => writeJson(one) === writeJson(other)
