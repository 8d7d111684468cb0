import type { Context } from 'koa'
import { z } from 'zod'
import { withNotes } from '../../activities/pages/page.ts'
import { fault } from '../../base/faults.ts'
import { suggest } from '../../base/suggest.ts'
import { type Call, decisive } from './call.ts'
import { noteInHeader } from './notes.ts'

type Known = Pick<Call, 'query'>
type Query = Readonly<Record<string, unknown>>

/** More than these of a request are only counted. */
const maxTold = 10

/** The parameters of a request that its call does not know, a sentence each. */
export function strayIn(query: Query, call: Known): string[] {
  const known = Object.keys(call.query ?? {})
  const stray = Object.keys(query).filter((name) => !known.includes(name))
  const told = stray.slice(0, maxTold).map((name) => sentenceOf(name, known))
  return stray.length > maxTold ? [...told, `${stray.length - maxTold} more parameters are unknown`] : told
}

/** Refuses parameters that a call does not know which changes something: it would do what its caller meant to try. */
export function refuseStray(query: Query, call: Known): void {
  const [first, ...more] = strayIn(query, call)
  if (first !== undefined) throw fault('invalid', first, { problems: [first, ...more] })
}

/** Reports the parameters that a call passed over which only reads: in the member of its answer that has notes, else in a header. */
export function tellStray(context: Context, notes: readonly string[], call: Call): void {
  const { body } = context
  if (hasNotes(call) && typeof body === 'string' && context.type === 'application/json') {
    context.body = withNotes(body, notes)
  } else if (hasNotes(call) && isPlainObject(body)) {
    context.body = { ...body, error: [...(Array.isArray(body.error) ? body.error : []), ...notes] }
  } else noteInHeader(context, notes)
}

function sentenceOf(name: string, known: readonly string[]): string {
  const called = `${name.slice(0, 40)} is no parameter of this call`
  const meant = known.find((each) => isNear(name, each))
  if (meant !== undefined) return `${called}; did you mean ${meant}?`
  const takes = known.length === 0 ? 'it takes none' : `it takes ${known.join(', ')}`
  const decides = Object.keys(decisive).find((each) => isNear(name, each))
  return decides === undefined
    ? `${called}: ${takes}`
    : `${called}, and would be passed over: this call does what it says; ${takes}`
}

/**
 * The same letters in any order and case, whatever joins the words; of longer names one that is near; or a name of several
 * words that begins with it, as `dry_run`, `dryRun`, `undo-hours`.
 */
function isNear(name: string, known: string): boolean {
  if (name.length >= 64) return false
  const [plain, of] = [plainOf(name), plainOf(known)]
  if (sorted(plain) === sorted(of) || (known.length > 2 && plain.startsWith(of))) return true
  return known.length > 4 && suggest(name, [known]) !== undefined
}

const plainOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
const sorted = (text: string): string => [...text].sort().join('')

/** Whether the answers of a call may have notes in `error`. */
const hasNotes = ({ answers }: Call): boolean =>
  answers.some((content) => content.kind === 'json' && hasError(content.schema))

function hasError(schema: z.ZodType): boolean {
  if (schema instanceof z.ZodUnion) return schema.options.some((each) => each instanceof z.ZodType && hasError(each))
  return schema instanceof z.ZodObject && 'error' in schema.shape
}

const isPlainObject = (body: unknown): body is Readonly<Record<string, unknown>> =>
  typeof body === 'object' && body !== null && Object.getPrototypeOf(body) === Object.prototype
