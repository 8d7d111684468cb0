/** Where in a JSON text the value of a path stands. The text has been parsed before, so that it is JSON. */
import type { Position } from './yaml.ts'

const blanks = /[ \t\r\n]*/y
const string = /"(?:[^"\\]|\\.)*"/y
const scalar = /[^\s,\]}]+/y

/** Line and column of the last step of the path that is there; of members with one name those of the last, as parsed. */
export function placeInJson(text: string, path: readonly (string | number)[]): Position {
  let offset = 0
  const skip = (pattern: RegExp): string => {
    pattern.lastIndex = offset
    const found = pattern.exec(text)?.[0] ?? ''
    offset += found.length
    return found
  }
  const blank = () => void skip(blanks)

  /** Passes over a value, without recursion: a text may nest deep. */
  function pass(): void {
    let depth = 0
    do {
      blank()
      const character = text[offset]
      if (character === '{' || character === '[') {
        depth++
        offset++
      } else if (character === '}' || character === ']') {
        depth--
        offset++
      } else if (character === ',' || character === ':') offset++
      else if (character === '"') skip(string)
      else if (skip(scalar) === '') return
    } while (depth > 0)
  }

  function enterMember(name: string): boolean {
    let found: number | undefined
    offset++
    for (blank(); text[offset] === '"'; blank()) {
      const at = offset
      const key = skip(string)
      blank()
      offset++
      blank()
      if (JSON.parse(key) === name) found = offset
      pass()
      blank()
      if (text[offset] === ',') offset++
      if (offset <= at) break
    }
    if (found !== undefined) offset = found
    return found !== undefined
  }

  function enterItem(index: number): boolean {
    offset++
    for (let place = 0; ; place++) {
      blank()
      if (text[offset] === ']' || offset >= text.length) return false
      if (place === index) return true
      pass()
      blank()
      if (text[offset] === ',') offset++
    }
  }

  blank()
  let at = offset
  for (const step of path) {
    const enters =
      text[offset] === '{' ? enterMember(String(step)) : text[offset] === '[' ? enterItem(Number(step)) : false
    if (!enters) break
    at = offset
  }
  const before = text.slice(0, at)
  const line = before.split(/\r\n|\r|\n/).length
  return { line, column: at - Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r')) }
}
