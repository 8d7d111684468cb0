/** The headers that may carry a key: `x-api-key`, `x-<word>-api-key`, `authorization`. */
const named = /^x-(?:[^-]+-)?api-key$/i
const bearer = /^Bearer +(\S+) *$/i

/** The different keys in the headers of a request, one after the other as Node has them: name, value, name, value. */
export function shownKeys(rawHeaders: readonly string[]): readonly string[] {
  const keys: string[] = []
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const [name = '', value = ''] = [rawHeaders[i], rawHeaders[i + 1]]
    const key = keyIn(name, value)
    if (key !== undefined && key !== '' && !keys.includes(key)) keys.push(key)
  }
  return keys
}

function keyIn(name: string, value: string): string | undefined {
  if (name.length < 9) return undefined
  if (name.length === 13 && name.toLowerCase() === 'authorization') return bearer.exec(value)?.[1]
  return named.test(name) ? value.trim() : undefined
}
