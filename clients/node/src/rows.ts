import { errorAmid, foreignError, WeirError } from './errors.ts'
import type { Call, Requests, Wait } from './requests.ts'

/** Rows one after the other as they come; `all` gathers them. Leaving the loop closes the request. */
export type Rows<Row> = AsyncIterable<Row> & {
  all(): Promise<Row[]>
  first(): Promise<Row | undefined>
}

export function rowsOf<Row>(read: () => AsyncGenerator<Row>): Rows<Row> {
  return {
    [Symbol.asyncIterator]: read,
    async all() {
      const rows: Row[] = []
      for await (const row of read()) rows.push(row)
      return rows
    },
    async first() {
      for await (const row of read()) return row
      return undefined
    },
  }
}

type Lines = {
  /** The last line is a row like all others, as in `/sql`. */
  readonly isAllRows?: boolean
  /** Gets each note that comes with the answer. */
  readonly onNote?: ((note: string) => void) | undefined
}

/**
 * The rows of an answer with a row a line. Its last line may be a refusal, where the answer broke off, or the
 * cursor behind the rows of a limit.
 */
export async function* linesOf<Row>(requests: Requests, call: Call, lines: Lines = {}): AsyncGenerator<Row> {
  const response = await requests.response({ ...call, isStream: true })
  if (lines.isAllRows) await expectRows(response, requests.base)
  else if (typeOf(response) === 'application/json') {
    yield (await changeIn(requests, response, lines.onNote)) as Row
    return
  } else await expectType(response, ndjson, requests.base)
  const note = response.headers.get('x-weir-note')
  if (note !== null) lines.onNote?.(note)
  let held: unknown
  for await (const line of textLines(response, requests.base)) {
    if (held !== undefined) yield held as Row
    held = rowIn(requests, line)
  }
  if (held === undefined) return
  if (!lines.isAllRows) {
    if (isCursor(held)) return
    if (isRefusal(held)) throw errorAmid(held)
  }
  yield held as Row
}

/** SQL has a row a line, with FORMAT Null none at all. Any other FORMAT of its own is refused. */
async function expectRows(response: Response, where: string): Promise<void> {
  const format = response.headers.get('x-clickhouse-format')
  if (format === null)
    return expectType(response, ndjson, where, ', or the question has a FORMAT of its own, which is to be left out')
  if (format === 'Null' || typeOf(response) === ndjson) return
  await response.body?.cancel().catch(() => {})
  throw new WeirError('refused', `rows cannot be read of FORMAT ${format}: leave the FORMAT out`, { status: 200 })
}

/** The answer to a statement that erases, which is one object also where lines are asked for. */
async function changeIn(requests: Requests, response: Response, onNote: Lines['onNote']): Promise<unknown> {
  let text = ''
  for await (const line of textLines(response, requests.base)) text += line
  const answer = rowIn(requests, text)
  if (!isObject(answer) || !('retval' in answer))
    throw foreignError(requests.base, `expected ${ndjson}, got application/json`)
  if (Array.isArray(answer.error)) for (const note of answer.error) onNote?.(String(note))
  return answer
}

function rowIn(requests: Requests, line: string): unknown {
  try {
    return requests.read(line)
  } catch (cause) {
    throw new WeirError('broken', `a line in the answer of ${requests.base} is no JSON`, { cause })
  }
}

const ndjson = 'application/x-ndjson'
const typeOf = ({ headers }: Response): string | undefined =>
  headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()

/** An answer of another type is none of Weir's; it is not read. */
export async function expectType(response: Response, expected: string, where: string, whyElse = ''): Promise<void> {
  if (typeOf(response) === expected) return
  const type = response.headers.get('content-type') ?? 'no type'
  await response.body?.cancel().catch(() => {})
  throw foreignError(where, `expected ${expected}, got ${type}${whyElse}`)
}

/** The lines of a body; empty ones only where they mean something. */
export async function* textLines(response: Response, where: string, hasEmpty = false): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  const reader = response.body?.getReader()
  let rest = ''
  try {
    for (;;) {
      const part = await reader?.read().catch((cause: unknown) => {
        throw new WeirError('broken', `the answer of ${where} ended before its end`, { cause })
      })
      if (part?.value === undefined) break
      const lines = (rest + decoder.decode(part.value, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) if (hasEmpty || line !== '') yield line
    }
    if (rest !== '') yield rest
  } finally {
    await reader?.cancel().catch(() => {})
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const isCursor = (line: unknown): boolean =>
  isObject(line) && typeof line.cursor === 'string' && line.more_data_to_come === 1 && Object.keys(line).length === 2
const isRefusal = (line: unknown): boolean =>
  isObject(line) && typeof line.errcode === 'number' && Array.isArray(line.error) && Object.keys(line).length <= 3

/** A list of the API, page after page: `member` has its items. */
export function listed<Item>(
  requests: Pick<Requests, 'base' | 'json'>,
  call: Call,
  member: string,
  wait: Wait = {},
): Rows<Item> {
  return rowsOf(async function* () {
    let cursor: string | undefined
    do {
      const query = { ...call.query, ...(cursor !== undefined && { cursor }) }
      const page = await requests.json<Record<string, unknown>>({ ...call, ...wait, query })
      const items = page?.[member]
      if (!Array.isArray(items)) throw foreignError(requests.base, `its answer has no list ${member}`)
      yield* items as Item[]
      cursor = typeof page.cursor === 'string' ? page.cursor : undefined
    } while (cursor !== undefined)
  })
}
