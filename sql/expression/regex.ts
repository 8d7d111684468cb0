/** Regular expressions of RE2: the time of a search is linear in the text, whatever the pattern is. */
import { RE2JS, RE2JSSyntaxException } from 're2js'
import type { SourceText } from '../query/source-text.ts'
import type { Expression } from './ast.ts'

const longestPattern = 500
/** Each costs half a millisecond to compile, all else nearly nothing. */
const mostUnicodeClasses = 10
/** Instructions of a compiled pattern: at worst each is looked at for each character of a text. */
const largestProgram = 250
/** UTF-16 units. A search in a longer text gives nothing. */
const longestSearched = 10_000

type Search = (text: string) => string | undefined
type Problem = { readonly at: number; readonly text: string }

function read(pattern: string): Search | Problem {
  if (pattern === '') return { at: 0, text: 'the pattern is empty' }
  if (pattern.length > longestPattern) {
    const text = `a pattern has at most ${longestPattern} characters, this one has ${pattern.length}`
    return { at: longestPattern, text }
  }
  const next = [...pattern.matchAll(/\\p/gi)][mostUnicodeClasses]
  if (next)
    return { at: next.index, text: `a pattern has at most ${mostUnicodeClasses} classes of Unicode, such as \\pL` }
  try {
    // `.` stands for line breaks, too, as in ClickHouse.
    const compiled = RE2JS.compile(pattern, RE2JS.DOTALL)
    const size = compiled.programSize()
    return size > largestProgram
      ? { at: 0, text: `the pattern becomes ${size} instructions, more than ${largestProgram}: repeat less in it` }
      : searchBy(compiled)
  } catch (error) {
    if (error instanceof RE2JSSyntaxException) return problemOf(error, pattern)
    throw error
  }
}

function problemOf(error: RE2JSSyntaxException, pattern: string): Problem {
  const part = error.getPattern() ?? ''
  const at = part === '' ? -1 : pattern.indexOf(part)
  const isPlace = at >= 0 && at === pattern.lastIndexOf(part)
  return { at: isPlace ? at : 0, text: `no regular expression of RE2: ${error.getDescription()}` }
}

/** Of the first group, or of the whole pattern where it has none. */
function searchBy(compiled: RE2JS): Search {
  const group = Math.min(1, compiled.groupCount())
  return (text) => {
    if (text.length > longestSearched) return undefined
    const matcher = compiled.matcher(text)
    return matcher.find() ? (matcher.group(group) ?? undefined) : undefined
  }
}

const mostKept = 200
/** A schema is read several times, so its patterns are. The oldest go first. */
const kept = new Map<string, Search | Problem>()

function readOnce(pattern: string): Search | Problem {
  const known = kept.get(pattern)
  if (known) return known
  const made = read(pattern)
  const [oldest] = kept.size < mostKept ? [] : kept.keys()
  if (oldest !== undefined) kept.delete(oldest)
  kept.set(pattern, made)
  return made
}

/** Throws a Refusal with a caret where an operand, which begins at `offset` of the source, is no text with a pattern. */
export function checkPattern(operand: Expression | undefined, source: SourceText, offset: number): void {
  if (operand?.kind !== 'text') throw source.refusal(offset, 'the pattern of REGEX is a text in single quotes')
  const made = readOnce(operand.value)
  if (typeof made === 'function') return
  const before = operand.value.slice(0, made.at).replaceAll("'", "''")
  throw source.refusal(offset + 1 + before.length, made.text)
}

/** Finds what the first group of a checked pattern matches, or the whole pattern where it has no group. */
export function createSearch(pattern: string): Search {
  const made = readOnce(pattern)
  if (typeof made !== 'function') throw new Error(`unchecked pattern: ${made.text}`)
  return made
}
