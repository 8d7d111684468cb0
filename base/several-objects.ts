import { Fault, fault } from './faults.ts'
import { type Json, parseJson } from './json.ts'

const several = {
  'the line': 'the line holds several objects, and each has a line of its own',
  'the event': 'the body holds several objects: send one a line, with the content type application/x-ndjson',
}

/** As `parseJson`; where one more object stands behind the first, the refusal says how several are sent. */
export function parseAlone(text: string, what: keyof typeof several): Json {
  try {
    return parseJson(text, what)
  } catch (error) {
    if (!(error instanceof Fault) || !isBehindAnother(error.message, text)) throw error
    throw fault('invalid', `${several[what]}; curl keeps the line ends of a file with --data-binary, not with -d`)
  }
}

function isBehindAnother(message: string, text: string): boolean {
  const position = /after JSON at position (\d+)/.exec(message)?.[1]
  return position !== undefined && /^,?\s*\{\s*["}]/.test(text.slice(Number(position)))
}
