/** A number that goes into the answer as it is written, however large. */
export type RawNumber = { readonly number: string }
export type Key = string | RawNumber | boolean
export type Row = { readonly k: Key; readonly v: string | RawNumber; readonly ts?: RawNumber }

/** One page of a query's rows. */
export type Page = {
  readonly rows: readonly Row[]
  readonly more: boolean
  readonly switchDone: 0 | 1
  /** Present on limited queries and wherever rows remain. */
  readonly lastKey?: Key
  readonly cursor?: string
  /** The parts that the answer leaves out, and what its asker may not have meant: a sentence each. */
  readonly notes?: readonly string[]
  /** The rows as JSON objects of plain values. */
  readonly plainRows: () => readonly string[]
}

/** The answer of a statement: rows, or the number that it counted, or of things that it changed. */
export type Answer =
  | { readonly kind: 'rows'; readonly page: Page }
  | { readonly kind: 'count' | 'change'; readonly number: number; readonly notes?: readonly string[] }

export const rowsAnswer = (page: Page): Answer => ({ kind: 'rows', page })
export const countAnswer = (number: number, notes: readonly string[] = []): Answer => ({ kind: 'count', number, notes })
export const changeAnswer = (number: number, notes: readonly string[] = []): Answer => ({
  kind: 'change',
  number,
  notes,
})

export const rawNumber = (number: string | number | bigint): RawNumber => ({ number: String(number) })

/** A key, or a number, as JSON. */
export const keyText = (value: Key): string => (typeof value === 'object' ? value.number : JSON.stringify(value))

const rowText = ({ k, v, ts }: Row): string =>
  `{"k":${keyText(k)},"v":${keyText(v)}${ts === undefined ? '' : `,"ts":${ts.number}`}}`

const isPlain = ({ k, v, ts }: Row): boolean => typeof k === 'string' && typeof v === 'string' && ts === undefined

/** Rows of texts alone are written all at once, in half the time. */
const rowsText = (rows: readonly Row[]): string =>
  rows.every(isPlain) ? JSON.stringify(rows) : `[${rows.map(rowText).join(',')}]`

function pageText({ rows, more, switchDone, lastKey, cursor, notes = [] }: Page): string {
  return [
    `{"rows":${rowsText(rows)},"num_items":${rows.length},"more_data_to_come":${more ? 1 : 0}`,
    `,"switch_done":${switchDone}`,
    lastKey === undefined ? '' : `,"levk":${keyText(lastKey)}`,
    cursor === undefined ? '' : `,"sec_buf":"${cursor}"`,
    notes.length === 0 ? '' : `,"error":${JSON.stringify(notes)}`,
    '}',
  ].join('')
}

const retval = (count: number, notes: readonly string[] = []): string =>
  notes.length === 0 ? `{"retval":${count}}` : `{"retval":${count},"error":${JSON.stringify(notes)}}`

/** An answer in the form of the published interface. */
export const answerText = (answer: Answer): string =>
  answer.kind === 'rows' ? pageText(answer.page) : retval(answer.number, answer.notes)

/** A JSON object of an answer with more notes in `error`, the member that stands last where it is there. */
export function withNotes(answer: string, notes: readonly string[]): string {
  const known = notesOf(answer)
  const rest = known === undefined ? answer.slice(0, -1) : answer.slice(0, answer.lastIndexOf(noted))
  return `${rest}${noted}${JSON.stringify([...(known ?? []), ...notes])}}`
}

const noted = ',"error":'

function notesOf(answer: string): unknown[] | undefined {
  const at = answer.lastIndexOf(noted)
  if (at < 0) return undefined
  try {
    const list: unknown = JSON.parse(answer.slice(at + noted.length, -1))
    return Array.isArray(list) ? list : undefined
  } catch {
    return undefined // A member of a row, which is not the last one.
  }
}
