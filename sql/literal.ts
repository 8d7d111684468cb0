export type LiteralType = 'String' | 'Int64' | 'UInt64' | 'Float64'

const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  "'": "\\'",
  '\0': '\\0',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}

const quote = (text: string): string => {
  if (!text.isWellFormed()) throw new Error('text with half a surrogate pair cannot be a literal')
  return `'${text.replace(/[\\'\0\n\r\t]/g, (character) => escapes[character] ?? character)}'`
}

const integer = (value: string | number, min: bigint, max: bigint): string => {
  const text = String(value)
  if (!/^-?\d{1,20}$/.test(text)) throw new Error(`${text.slice(0, 40)} is no integer`)
  const parsed = BigInt(text)
  if (parsed < min || parsed > max) throw new Error(`${text} is out of range`)
  return String(parsed)
}

const float = (value: string | number): string => {
  const number = Number(value)
  if (Number.isNaN(number)) throw new Error('NaN is no literal')
  if (Number.isFinite(number)) return `toFloat64('${number}')`
  return number > 0 ? 'inf' : '-inf'
}

const literals: Readonly<Record<LiteralType, (value: string | number) => string>> = {
  String: (value) => quote(String(value)),
  Int64: (value) => integer(value, -(2n ** 63n), 2n ** 63n - 1n),
  UInt64: (value) => integer(value, 0n, 2n ** 64n - 1n),
  Float64: float,
}

/** A value as ClickHouse source text: the only way by which a client's value gets into a statement. */
export const literal = (value: string | number, type: LiteralType): string => literals[type](value)
