/** Bodies whose items become events one by one: an item that is refused costs no other. */
import {
  createLineErrors,
  createTurns,
  type Line,
  type LineErrors,
  listedErrors,
  reasonOf,
} from '../../base/each-line.ts'
import { type Json, writeJson } from '../../base/json.ts'

export type ItemSteps = {
  /** The line of NDJSON of an item, whose place counts from 0; a Refusal costs that item alone. */
  readonly lineOf: (item: Json, place: number) => string
  /** Hears of an item that is refused: why, and its text. */
  readonly refuse: (reason: string, text: Buffer, line: Line) => void
}

/** The lines of the good items, and the faults of the others under the numbers of their items, from 1. */
export type ItemLines = {
  readonly lines: Buffer
  /** The number of the item that a line, counted from 1, is of. */
  readonly numberOf: (line: number) => number
  readonly errors: LineErrors
}

const listedCharacters = 4096

export async function linesOfItems(items: readonly Json[], { lineOf, refuse }: ItemSteps): Promise<ItemLines> {
  const errors = createLineErrors()
  const [texts, numbers]: [string[], number[]] = [[], []]
  const turns = createTurns()
  for (const [place, item] of items.entries()) {
    const number = place + 1
    let text: string
    try {
      text = lineOf(item, place)
      texts.push(text)
      numbers.push(number)
    } catch (error) {
      errors.add({ number, start: 0, end: 0 }, error)
      text = writeJson(item)
      const listed = Buffer.from(text.slice(0, listedCharacters))
      refuse(reasonOf(error), listed, { number, start: 0, end: listed.length })
    }
    const turn = turns.take(text.length)
    if (turn) await turn
  }
  return {
    lines: Buffer.from(texts.join('')),
    numberOf: (line) => numbers[line - 1] ?? line,
    errors: errors.counted(),
  }
}

/** The answer to the lines as the answer to all items. */
export function answerOfItems<Taken extends LineErrors>(taken: Taken, { numberOf, errors }: ItemLines): Taken {
  const ofLines = taken.errors.map(({ line, error }) => ({ line: numberOf(line), error }))
  return {
    ...taken,
    rejected: errors.rejected + taken.rejected,
    errors: [...errors.errors, ...ofLines].toSorted((one, other) => one.line - other.line).slice(0, listedErrors),
  }
}
