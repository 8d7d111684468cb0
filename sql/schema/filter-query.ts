const longest = 100_000

/** Strings and numbers as whole tokens, so that digits within a string are left alone. */
const token = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g

/** Integers that a double would round are read as strings. */
const keepDigits = (text: string) => text.replace(token, (found) => (/^-?\d{16,}$/.test(found) ? `"${found}"` : found))

/** The JSON that a filter carries as a string; undefined where it is none. */
export const parseFilterQuery = (text: string): unknown => {
  if (text.length > longest) return undefined
  try {
    return JSON.parse(keepDigits(text))
  } catch {
    return undefined
  }
}
