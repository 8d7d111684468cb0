const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i
const wholeInt64 = /^[+-]?\d{1,19}$/

/** A decimal number written as text; a bigint where a double would round it. Undefined for anything else, `1e400` too. */
export function numberFromText(text: string): number | bigint | undefined {
  const trimmed = text.trim()
  if (!decimal.test(trimmed)) return undefined
  const value = Number(trimmed)
  if (!Number.isFinite(value)) return undefined
  return wholeInt64.test(trimmed) && !Number.isSafeInteger(value) ? BigInt(trimmed) : value
}
