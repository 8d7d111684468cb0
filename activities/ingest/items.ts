/** Bodies whose items become events one by one: an item that is refused costs no other. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createLineErrors, type Line, type LineErrors, reasonOf } from '../../base/each-line.ts'
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

/** Items between two looks at the clock, and how long they are read before other requests have their turn. */
const itemsAtOnce = 16
const turn_ms = 5
const listedErrors = 100
const listedCharacters = 4096

export async function linesOfItems(items: readonly Json[], { lineOf, refuse }: ItemSteps): Promise<ItemLines> {
  const errors = createLineErrors()
  const [texts, numbers]: [string[], number[]] = [[], []]
  let began = performance.now()
  for (const [place, item] of items.entries()) {
    const number = place + 1
    try {
      texts.push(lineOf(item, place))
      numbers.push(number)
    } catch (error) {
      errors.add({ number, start: 0, end: 0 }, error)
      const text = Buffer.from(writeJson(item).slice(0, listedCharacters))
      refuse(reasonOf(error), text, { number, start: 0, end: text.length })
    }
    if (place % itemsAtOnce === 0 && performance.now() - began > turn_ms) {
      await nextTurn()
      began = performance.now()
    }
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
