import type { PostEventsAnswer } from '../../api/calls.ts'

export type Outcome = {
  readonly numTaken: number
  readonly numRefused: number
  readonly errors: readonly { readonly line: number; readonly error: string }[]
  readonly notes: readonly string[]
}

/** An answer names so many refused lines at most: of a part of so many lines it names them all. */
const linesOfPart = 100

export type Part = {
  readonly body: string
  readonly type: string
  /** How many lines stand before it. */
  readonly before: number
}

/** One JSON object over several lines is one event; anything else is sent as lines, in parts whose answers name each refused one. */
export function partsOf(text: string): readonly Part[] {
  const lines = text.trimEnd().split('\n')
  if (isJson(text) || lines.length === 1) return [{ body: text, type: 'application/json', before: 0 }]
  return Array.from({ length: Math.ceil(lines.length / linesOfPart) }, (_, part) => {
    const before = part * linesOfPart
    return { body: `${lines.slice(before, before + linesOfPart).join('\n')}\n`, type: 'application/x-ndjson', before }
  }).filter(({ body }) => body.trim() !== '')
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

export function outcomeOf(answer: PostEventsAnswer, before = 0): Outcome {
  const notes = answer.error ?? []
  if ('accepted' in answer) {
    const errors = answer.errors.map(({ line, error }) => ({ line: line + before, error }))
    return { numTaken: answer.accepted, numRefused: answer.rejected, errors, notes }
  }
  return { numTaken: 1, numRefused: 0, errors: [], notes }
}

export const together = (all: readonly Outcome[]): Outcome => ({
  numTaken: all.reduce((sum, { numTaken }) => sum + numTaken, 0),
  numRefused: all.reduce((sum, { numRefused }) => sum + numRefused, 0),
  errors: all.flatMap(({ errors }) => errors),
  notes: [...new Set(all.flatMap(({ notes }) => notes))],
})

/** The lines that are still to be sent once an answer has come, the refused ones alone: no event is sent a second time. */
export function leftOf(text: string, { numRefused, errors }: Pick<Outcome, 'numRefused' | 'errors'>): string {
  if (numRefused === 0) return ''
  const lines = text.split('\n')
  const refused = errors.flatMap(({ line }) => lines[line - 1] ?? [])
  return refused.join('\n')
}
