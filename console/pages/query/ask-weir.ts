/** Pages of an answer in Weir's language. */
import type { Page } from '../../api/calls.ts'
import { call } from '../../api/client.ts'

/** The place at which the next page of an answer begins. */
export type Continuation = Pick<Page, 'levk' | 'sec_buf' | 'switch_done'>

export type WeirAnswer = {
  readonly page?: Page
  readonly retval?: number
  readonly notes: readonly string[]
  readonly next: Continuation | undefined
}

export async function askWeir(
  { text, database }: { readonly text: string; readonly database: string },
  next: Continuation | undefined,
  signal: AbortSignal,
): Promise<WeirAnswer> {
  return answerOf(await call('POST /db/{database}/query', { path: { database }, body: { sql: text, ...next }, signal }))
}

export function answerOf(answer: Awaited<ReturnType<typeof call<'POST /db/{database}/query'>>>): WeirAnswer {
  if (typeof answer === 'string') return { notes: [], next: undefined }
  const notes = answer.error ?? []
  if (!('switch_done' in answer)) return { retval: answer.retval ?? 0, notes, next: undefined }
  const { more_data_to_come, levk, sec_buf, switch_done } = answer
  const next =
    more_data_to_come === 1 && levk !== undefined
      ? { levk, switch_done, ...(sec_buf !== undefined && { sec_buf }) }
      : undefined
  return { page: answer, notes, next }
}
