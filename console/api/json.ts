const long = /-?(?:\d{17}|9\d{15})/

/**
 * As JSON.parse; integers that no double holds are BigInts, where the browser tells their text. Only texts with such a long
 * number take the slow way.
 */
export function parseJson(text: string): unknown {
  return long.test(text) ? JSON.parse(text, keepLong) : JSON.parse(text)
}

/** As JSON.stringify; BigInts are written as numbers. */
export function printJson(value: unknown, indent?: number): string {
  const marked = JSON.stringify(
    value,
    (_, inner: unknown) => (typeof inner === 'bigint' ? `\u0000${inner}` : inner),
    indent,
  )
  return (marked ?? 'null').replace(/"\\u0000(-?\d+)"/g, '$1')
}

function keepLong(_: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
  const source = context?.source
  return source !== undefined && /^-?\d+$/.test(source) ? BigInt(source) : value
}
