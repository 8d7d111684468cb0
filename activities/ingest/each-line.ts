import { Fault, fault } from '../../infra/faults.ts'
import { brokenLine } from '../../infra/json.ts'
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

/** Takes the lines of an NDJSON text one by one; what `take` refuses is counted and listed. Blank lines are passed over. */
export async function eachLine(
  text: string,
  take: (line: string, number: number) => void | Promise<void>,
): Promise<LineErrors> {
  const errors: LineError[] = []
  let rejected = 0
  let number = 0
  let turn = performance.now()
  for (const line of linesOf(text)) {
    number++
    if (number % linesAtOnce === 0 && performance.now() - turn > turn_ms) {
      await new Promise((resolve) => setImmediate(resolve))
      turn = performance.now()
    }
    if (line === '') continue
    try {
      if (line === brokenLine) throw fault('invalid', 'the line is no UTF-8')
      const taken = take(line, number)
      if (taken) await taken
    } catch (error) {
      rejected++
      if (errors.length < listedErrors) errors.push({ line: number, error: reasonOf(error) })
    }
  }
  return { rejected, errors }
}

/** Lines that are prepared together. */
const groupLines = 256

export type GroupSteps<Item> = {
  readonly read: (line: string) => Item
  readonly prepare: (items: readonly Item[]) => Promise<void>
  readonly take: (item: Item) => void
}

/** The same where work is done for many lines at once: `read` and `take` may refuse single ones, `prepare` none. */
export async function eachGroup<Item>(text: string, { read, prepare, take }: GroupSteps<Item>): Promise<LineErrors> {
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

  const { rejected, errors } = await eachLine(text, (line, number) => {
    group.push({ line: number, item: read(line) })
    return group.length < groupLines ? undefined : takeGroup()
  })
  await takeGroup()
  const all = [...errors, ...late].sort((a, b) => a.line - b.line)
  return { rejected: rejected + refused, errors: all.slice(0, listedErrors) }
}

function* linesOf(text: string): Iterable<string> {
  for (let start = 0; start < text.length; ) {
    const feed = text.indexOf('\n', start)
    const end = feed === -1 ? text.length : feed
    yield text.slice(start, end).trim()
    start = end + 1
  }
}

/** What is not the line's own fault ends the whole. */
function reasonOf(error: unknown): string {
  if (error instanceof Refusal) return error.problems.join('; ')
  if (error instanceof Fault && error.kind === 'invalid') return error.message
  throw error
}
