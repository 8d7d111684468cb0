/** Requests about the watch of a saved question. */

import { createProblems, type Problems } from '../../base/decode/problems.ts'
import { isObject, type Json } from '../../base/json.ts'
import { Refusal } from '../../base/refusal.ts'
import { hint } from '../../base/suggest.ts'
import { leastTime_us, smallerUnitOf } from '../../base/time-unit.ts'
import { readValue, typeOf } from './types.ts'
import type { Watch } from './watch.ts'

const timeType = typeOf('time')

/** A time in microseconds since 1970: of an ISO text, or as it is. */
function timeIn(wire: { readonly [member: string]: Json }, member: string, problems: Problems): number {
  const value = wire[member]
  const read = typeof value === 'string' && timeType ? readValue(value, timeType) : undefined
  if (read && 'value' in read) return Math.round(Number(read.value) * 1_000_000)
  if (typeof value === 'number' && Number.isSafeInteger(value)) {
    if (value >= leastTime_us) return value
    const small = smallerUnitOf(value)
    problems.add(member, `is in microseconds since 1970${small ? `; ${value} looks like ${small.name}` : ''}`)
  } else problems.add(member, 'must be a time such as 2026-11-29T12:00:00Z, or microseconds since 1970')
  return 0
}

function refuseUnknown(wire: { readonly [member: string]: Json }, known: readonly string[], problems: Problems): void {
  for (const name of Object.keys(wire)) if (!known.includes(name)) problems.add(name, `is unknown${hint(name, known)}`)
}

export type SilenceRequest = {
  readonly until: number
  readonly key: { readonly [column: string]: Json }
  readonly why: string
}

const maxWhy = 1_000

export function decodeSilence(wire: Json, { key: columns }: Watch): SilenceRequest {
  if (!isObject(wire)) throw new Refusal('send {"until": "2026-11-29T12:00:00Z", "why": "..."}')
  const problems = createProblems()
  refuseUnknown(wire, ['until', 'key', 'why'], problems)
  const until = timeIn(wire, 'until', problems)
  const { key = {}, why } = wire
  if (typeof why !== 'string' || why === '' || why.length > maxWhy)
    problems.add('why', `must be a text of 1 to ${maxWhy} characters`)
  if (!isObject(key)) problems.add('key', 'must be an object such as {"page": "home"}')
  else {
    const other = Object.keys(key).find((column) => !columns.includes(column))
    if (other !== undefined)
      problems.add('key', `${other.slice(0, 64)} is no column of the watch's key${hint(other, columns)}`)
    const strange = Object.keys(key).find((column) => typeof key[column] === 'object' && key[column] !== null)
    if (strange !== undefined) problems.add('key', `${strange.slice(0, 64)} must be one value: a silence for each`)
  }
  problems.refuse()
  return { until, key: isObject(key) ? inOrder(key, columns) : {}, why: typeof why === 'string' ? why : '' }
}

/** The members in the order of the watch's key. */
const inOrder = (key: SilenceRequest['key'], columns: readonly string[]): SilenceRequest['key'] =>
  Object.fromEntries(
    columns.filter((column) => Object.hasOwn(key, column)).map((column) => [column, key[column] ?? null]),
  )

export type BacktestRequest = { readonly from: number; readonly to: number }

/** Evaluations of one backtest. */
const maxEvaluations = 1_500

/** Members of a question that a test may replace, of which the watch alone leaves what is asked as it is. */
const draftMembers = ['watch', 'sql', 'db', 'params'] as const

export type Draft = { readonly members: { readonly [member: string]: Json }; readonly asksOther: boolean }

/** The members of a question that has not been saved; undefined where the test has none. */
export function draftIn(wire: Json): Draft | undefined {
  if (!isObject(wire)) return undefined
  const given = draftMembers.flatMap((member) => {
    const value = wire[member]
    return value === undefined ? [] : [[member, value] as const]
  })
  return given.length === 0
    ? undefined
    : { members: Object.fromEntries(given), asksOther: given.some(([member]) => member !== 'watch') }
}

/** The times of a test, whatever else it has. */
export function decodeBacktest(wire: Json): BacktestRequest {
  if (!isObject(wire)) throw new Refusal('send {"from": "2026-11-29T00:00:00Z", "to": "2026-11-29T12:00:00Z"}')
  const problems = createProblems()
  refuseUnknown(wire, ['from', 'to', ...draftMembers], problems)
  const from = timeIn(wire, 'from', problems)
  const to = timeIn(wire, 'to', problems)
  problems.refuse()
  if (to < from) problems.add('to', 'is before from')
  problems.refuse()
  return { from, to }
}

/** Refuses times between which a watch would be evaluated too often. */
export function refuseManyEvaluations({ from, to }: BacktestRequest, { every }: Watch): void {
  const problems = createProblems()
  const evaluations = Math.floor((to - from) / (every * 1_000_000)) + 1
  if (evaluations > maxEvaluations)
    problems.add(
      'to',
      `is ${evaluations} evaluations after from, over the ${maxEvaluations} there may be: ask for ${Math.floor((maxEvaluations * every) / 60)} minutes at most`,
    )
  problems.refuse()
}
