import type { Event } from '../../../base/json.ts'

const [quote, backslash, colon, comma, openBrace, openBracket, closeBrace, closeBracket] = [
  0x22, 0x5c, 0x3a, 0x2c, 0x7b, 0x5b, 0x7d, 0x5d,
] as const

/**
 * A member that an object's text names twice, with the path to it; undefined where there is none. `text` is JSON that was
 * parsed into `object`, which holds the last of the two. A text with no more colons than members has none: that is most rows.
 */
export function memberTwice(text: string, object: Event): string | undefined {
  const members = Object.keys(object).length
  let colons = 0
  for (let at = text.indexOf(':'); at >= 0 && colons <= members; at = text.indexOf(':', at + 1)) colons += 1
  return colons > members ? scan(text) : undefined
}

/** Where the string ends that begins at `start`: the place of its last quote. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === backslash) at += 1
    else if (code === quote) return at
  }
  return text.length
}

function scan(text: string): string | undefined {
  /** The names of each object that is open; an array has none. */
  const open: (Set<string> | undefined)[] = []
  const path: string[] = []
  let lastString = ''
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      const end = endOfString(text, at)
      lastString = text.slice(at, end + 1)
      at = end
    } else if (code === colon) {
      const name = nameOf(lastString)
      const names = open.at(-1)
      path[open.length - 1] = name
      if (names?.has(name)) return path.slice(0, open.length).filter(Boolean).join('.')
      names?.add(name)
    } else if (code === openBrace || code === openBracket) {
      open.push(code === openBrace ? new Set() : undefined)
      path[open.length - 1] = ''
    } else if (code === closeBrace || code === closeBracket) open.pop()
    else if (code === comma) path[open.length - 1] = ''
  }
  return undefined
}

const nameOf = (written: string): string =>
  written.includes('\\') ? String(JSON.parse(written)) : written.slice(1, -1)
