import { type Place, placeOf, placesIn } from './json-places.ts'

/** A sentence of the service about a schema, and the place in its text that it speaks of. */
export type Problem = Place & { readonly says: string; readonly line: number }

const aboutPath = /^((?:schema|streams|notifs|cvar|udfs)(?:\[\d+\]|\.[A-Za-z_]\w*)*)/
const atPosition = /at position (\d+)/

/** The service names what is wrong by its path; where it can name none, the problem is that of the first line. */
export function problemsIn(text: string, sentences: readonly string[]): readonly Problem[] {
  const places = placesIn(text)
  return sentences.map((says) => {
    const place = placeIn(text, places, says)
    return { ...place, says, line: lineOf(text, place.from) }
  })
}

function placeIn(text: string, places: ReadonlyMap<string, Place>, says: string): Place {
  const position = atPosition.exec(says)?.[1]
  if (position !== undefined) {
    const from = Math.min(Number(position), Math.max(0, text.length - 1))
    return { from, to: Math.min(text.length, from + 1) }
  }
  const path = aboutPath.exec(says)?.[1]
  const place = path === undefined ? undefined : placeOf(places, path)
  // Of a large part only its beginning is marked.
  if (place) return { from: place.from, to: Math.min(place.to, endOfLine(text, place.from)) }
  return { from: 0, to: endOfLine(text, 0) }
}

/** A text that is no JSON, told by the browser: the place of the fault is in its message, in one form or another. */
export function syntaxProblem(text: string): Problem | undefined {
  if (text.trim() === '')
    return { from: 0, to: 0, says: 'a schema is a JSON object with schema, its name, and streams', line: 1 }
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    const says = error instanceof Error ? error.message : String(error)
    const position = atPosition.exec(says)?.[1]
    const from = position === undefined ? text.length : Math.min(Number(position), text.length)
    return { from, to: Math.min(text.length, from + 1), says: `This is no JSON: ${says}`, line: lineOf(text, from) }
  }
}

const endOfLine = (text: string, from: number): number => {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end
}

const lineOf = (text: string, at: number): number => text.slice(0, at).split('\n').length
