import { isUtf8 } from 'node:buffer'
import { Fault, fault } from './faults.ts'
import { Refusal } from './refusal.ts'

/** Bad lines that an answer lists. */
export const listedErrors = 100
/** Lines, or their bytes, between two looks at the clock; and how long lines are taken before others get their turn. */
const linesAtOnce = 64
const bytesAtOnce = 64 * 1024
const turn_ms = 5

type LineError = { readonly line: number; readonly error: string }

export type LineErrors = {
  readonly rejected: number
  /** The first hundred; lines count from 1. */
  readonly errors: readonly LineError[]
}

/** A line of a body: its number, from 1, and its bytes, which are UTF-8, from `start` to `end`. */
export type Line = { readonly number: number; readonly start: number; readonly end: number }

/** The line from `start` to `end`, without the blanks round it. */
export const lineText = (body: Buffer, start: number, end: number): string => body.toString('utf8', start, end).trim()

/** Counts the lines that are refused, beginning with the counts `before`; `told` hears of each. */
export function createLineErrors(
  before: LineErrors = { rejected: 0, errors: [] },
  told: (line: Line, reason: string) => void = () => {},
) {
  let { rejected } = before
  const errors = [...before.errors]
  return {
    /** Throws an error that is not the line's own fault, which ends the whole body. */
    add(line: Line, error: unknown): void {
      const reason = reasonOf(error)
      rejected++
      if (errors.length < listedErrors) errors.push({ line: line.number, error: reason })
      told(line, reason)
    },
    counted: (): LineErrors => ({ rejected, errors: [...errors] }),
  }
}

/** The answer to a body of lines. One of bad lines only says so beside its counts. */
export function linesAnswer(
  accepted: number,
  { rejected, errors }: LineErrors,
  notes: readonly string[] = [],
  repeated = 0,
) {
  const counts = { accepted, ...(repeated > 0 && { repeated }), rejected, errors }
  if (accepted === 0 && rejected > 0) return { errcode: -1, ...counts, error: [allRefused(rejected, errors[0]?.error)] }
  return { errcode: 0, ...counts, ...(notes.length > 0 && { error: notes }) }
}

const allRefused = (rejected: number, first = ''): string =>
  rejected === 1
    ? `the only line is refused: ${first}`
    : `all ${rejected.toLocaleString('en-US')} lines are refused, the first because: ${first}`

/** Lets other requests have their turn, after some work. */
export function createTurns() {
  let lines = 0
  let bytes = 0
  let began = performance.now()
  return {
    /** Undefined as long as it goes on. */
    take(length: number): Promise<void> | undefined {
      bytes += length
      if (++lines < linesAtOnce && bytes < bytesAtOnce) return undefined
      lines = 0
      bytes = 0
      if (performance.now() - began <= turn_ms) return undefined
      return new Promise((resolve) =>
        setImmediate(() => {
          began = performance.now()
          resolve()
        }),
      )
    },
  }
}

/** The place where reading begins: behind the lines of an earlier attempt. */
export type Start = { readonly number: number; readonly at: number }

export type LineSteps = {
  readonly take: (line: Line) => void | Promise<void>
  /** Hears of a line that `take` refuses, and of one that is no UTF-8. */
  readonly refuse: (line: Line, error: unknown) => void
}

/** Goes over the lines of an NDJSON body, one after the other. Blank lines are skipped. */
export async function goOverLines(body: Buffer, { number: first, at }: Start, steps: LineSteps): Promise<void> {
  const { take, refuse } = steps
  const isWhole = isUtf8(body)
  const turns = createTurns()
  for (let [number, start, end] = [first, at, at]; start < body.length; number++, start = end + 1) {
    const feed = body.indexOf(lineFeed, start)
    end = feed === -1 ? body.length : feed
    const turn = turns.take(end - start)
    if (turn) await turn
    if (isBlank(body, start, end)) continue
    const line = { number, start, end }
    try {
      if (!isWhole && !isUtf8(body.subarray(start, end))) throw fault('invalid', 'the line is no UTF-8')
      const taken = take(line)
      if (taken) await taken
    } catch (error) {
      refuse(line, error)
    }
  }
}

/** Takes the lines of an NDJSON body one by one, and counts those that `take` refuses. */
export async function eachLine(body: Buffer, take: LineSteps['take']): Promise<LineErrors> {
  const errors = createLineErrors()
  await goOverLines(body, { number: 1, at: 0 }, { take, refuse: errors.add })
  return errors.counted()
}

const lineFeed = 10

/** Most lines begin with a brace, and are not turned into text for this. */
function isBlank(body: Buffer, start: number, end: number): boolean {
  const first = body[start] ?? lineFeed
  return !(first > blank && first < delete_) && lineText(body, start, end) === ''
}

const [blank, delete_] = [0x20, 0x7f]

/** A failure that is not the line's own fault ends the whole. */
export function reasonOf(error: unknown): string {
  if (error instanceof Refusal) return error.problems.join('; ')
  if (error instanceof Fault && error.kind === 'invalid') return error.message
  throw error
}
