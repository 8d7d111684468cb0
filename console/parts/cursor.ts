/** Where a page of an answer goes on, as a text that fits into an address. */
import { parseJson, printJson } from '../api/json.ts'

type Paged = {
  readonly more_data_to_come: number
  readonly switch_done: number
  readonly levk?: unknown
  readonly sec_buf?: unknown
  readonly rev_buf?: unknown
}

/** Undefined where nothing is left. */
export function cursorOf({ more_data_to_come: more, switch_done, levk, sec_buf, rev_buf }: Paged): string | undefined {
  if (more !== 1) return undefined
  return printJson({
    ...(levk !== undefined && { levk }),
    ...(sec_buf !== undefined && { sec_buf }),
    ...(rev_buf !== undefined && { rev_buf }),
    switch_done,
  })
}

/** The members that a request goes on with; none for the first page, and for a text that is no cursor. */
export function membersOf(cursor: string): Readonly<Record<string, unknown>> {
  if (cursor === '') return {}
  try {
    const members = parseJson(cursor)
    return typeof members === 'object' && members !== null ? { ...members } : {}
  } catch {
    return {}
  }
}
