import { Fault } from '../../../base/faults.ts'
import { type Event, isObject, parseJson } from '../../../base/json.ts'
import { invalid } from '../decode-utf8.ts'
import type { Reader } from '../format.ts'
import { cutLines, notUtf8 } from '../lines.ts'
import { type BrokenRow, blankLine } from '../row.ts'
import { cutArray } from './json-array.ts'
import { memberTwice } from './member-twice.ts'

/** Reads JSON objects, one a line or the elements of one array, as the first character says. */
export function createObjectReader(
  take: (object: Event, line: number) => void,
  broken: (row: BrokenRow) => void,
  blanks = false,
): Reader {
  let reader: Reader | undefined
  let blankLines = 0

  const element = (text: string, line: number, column = 1) => {
    if (text.includes(invalid)) return broken({ line, reason: notUtf8 })
    const parsed = parseObject(text, line, column)
    if ('object' in parsed) take(parsed.object, line)
    else broken(parsed)
  }

  const takeLine = (text: string, number: number) => {
    if (text.trim() !== '') element(text, number + blankLines)
  }

  const tellBlanks = () => {
    for (let line = 1; blanks && line <= blankLines; line += 1) broken({ line, reason: blankLine })
  }

  const begin = (piece: string): string => {
    const start = piece.search(/\S/)
    if (start < 0 || piece[start] !== '[') {
      if (start < 0) blankLines += piece.split('\n').length - 1
      else {
        tellBlanks()
        reader = cutLines((row) => broken({ ...row, line: row.line + blankLines }), takeLine, blanks)
      }
      return start < 0 ? '' : piece
    }
    const line = blankLines + piece.slice(0, start).split('\n').length
    const column = start + 1 - piece.lastIndexOf('\n', start)
    reader = cutArray({ element, broken: (at, reason) => broken({ line: at, reason }) }, line, column)
    return piece.slice(start + 1)
  }

  return {
    push: (piece) => {
      const text = reader === undefined ? begin(piece) : piece
      reader?.push(text)
    },
    end: () => {
      if (reader === undefined) tellBlanks()
      else reader.end()
    },
  }
}

function parseObject(text: string, line: number, startColumn: number): { readonly object: Event } | BrokenRow {
  try {
    const object = parseJson(text, 'the row')
    if (!isObject(object)) return { line, reason: 'the row is no JSON object' }
    const twice = memberTwice(text, object)
    return twice === undefined ? { object } : { line, attribute: twice, reason: 'the row names it twice' }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const [, reason = error.message, lineIn = '1', column] =
      /^(.*) at position \d+ \(line (\d+), column (\d+)\)$/s.exec(error.message) ?? []
    const place = { line: line + Number(lineIn) - 1, reason }
    if (column === undefined) return place
    return { ...place, column: Number(column) + (lineIn === '1' ? startColumn - 1 : 0) }
  }
}
