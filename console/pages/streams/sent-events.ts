import type { PostEventsAnswer } from '../../api/calls.ts'

export type Outcome = {
  readonly numTaken: number
  readonly numRefused: number
  readonly errors: readonly { readonly line: number; readonly error: string }[]
  readonly notes: readonly string[]
}

/** One JSON object over several lines is one event; anything else is sent as lines. */
export function bodyOf(text: string): { readonly body: string; readonly type: string } {
  const isOne = isJson(text) || text.trim().split('\n').length === 1
  return isOne ? { body: text, type: 'application/json' } : { body: text, type: 'application/x-ndjson' }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

export function outcomeOf(answer: PostEventsAnswer): Outcome {
  const notes = answer.error ?? []
  if ('accepted' in answer) {
    return { numTaken: answer.accepted, numRefused: answer.rejected, errors: answer.errors, notes }
  }
  return { numTaken: 1, numRefused: 0, errors: [], notes }
}
