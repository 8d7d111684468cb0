import { isUtf8 } from 'node:buffer'
import { Fault, fault } from '../../infra/faults.ts'
import { Refusal } from '../../sql/refusal.ts'

/** Bad lines that an answer lists. */
const listedErrors = 100
/** Lines between two looks at the clock, and how long lines are taken before other requests get their turn. */
const linesAtOnce = 64
const turn_ms = 5

type LineError = { readonly line: number; readonly error: string }

export type LineErrors = {
  readonly rejected: number
  /** The first hundred; lines count from 1. */
  readonly errors: readonly LineError[]
}

/** The line from `start` to `end`, without the blanks round it. */
export const lineText = (body: Buffer, start: number, end: number): string => body.toString('utf8', start, end).trim()

/**
 * Takes the lines of an NDJSON body one by one: their bytes, which are UTF-8, from `start` to `end`. What `take` refuses
 * is counted and listed, as is a line that is no UTF-8. Blank lines are passed over.
 */
export async function eachLine(
  body: Buffer,
  take: (start: number, end: number, number: number) => void | Promise<void>,
): Promise<LineErrors> {
  const isWhole = isUtf8(body)
  const errors: LineError[] = []
  let rejected = 0
  let number = 0
  let turn = performance.now()
  for (let [start, end] = [0, 0]; start < body.length; start = end + 1) {
    const feed = body.indexOf(lineFeed, start)
    end = feed === -1 ? body.length : feed
    number++
    if (number % linesAtOnce === 0 && performance.now() - turn > turn_ms) {
      await new Promise((resolve) => setImmediate(resolve))
      turn = performance.now()
    }
    if (isBlank(body, start, end)) continue
    try {
      if (!isWhole && !isUtf8(body.subarray(start, end))) throw fault('invalid', 'the line is no UTF-8')
      const taken = take(start, end, number)
      if (taken) await taken
    } catch (error) {
      rejected++
      if (errors.length < listedErrors) errors.push({ line: number, error: reasonOf(error) })
    }
  }
  return { rejected, errors }
}

const lineFeed = 10

/** Most lines begin with a brace: those are not turned into text for this. */
function isBlank(body: Buffer, start: number, end: number): boolean {
  const first = body[start] ?? lineFeed
  return !(first > blank && first < delete_) && lineText(body, start, end) === ''
}

const [blank, delete_] = [0x20, 0x7f]

/** Lines that are prepared together. */
const groupLines = 256

export type GroupSteps<Item> = {
  readonly read: (start: number, end: number) => Item
  readonly prepare: (items: readonly Item[]) => Promise<void>
  readonly take: (item: Item) => void
}

/** The same where work is done for many lines at once: `read` and `take` may refuse single ones, `prepare` none. */
export async function eachGroup<Item>(body: Buffer, { read, prepare, take }: GroupSteps<Item>): Promise<LineErrors> {
  const late: LineError[] = []
  let refused = 0
  let group: { readonly line: number; readonly item: Item }[] = []

  async function takeGroup(): Promise<void> {
    const ready = group
    group = []
    await prepare(ready.map(({ item }) => item))
    for (const { line, item } of ready) {
      try {
        take(item)
      } catch (error) {
        refused++
        const reason = reasonOf(error)
        if (late.length < listedErrors) late.push({ line, error: reason })
      }
    }
  }

  const { rejected, errors } = await eachLine(body, (start, end, number) => {
    group.push({ line: number, item: read(start, end) })
    return group.length < groupLines ? undefined : takeGroup()
  })
  await takeGroup()
  const all = [...errors, ...late].sort((a, b) => a.line - b.line)
  return { rejected: rejected + refused, errors: all.slice(0, listedErrors) }
}

/** What is not the line's own fault ends the whole. */
function reasonOf(error: unknown): string {
  if (error instanceof Refusal) return error.problems.join('; ')
  if (error instanceof Fault && error.kind === 'invalid') return error.message
  throw error
}
