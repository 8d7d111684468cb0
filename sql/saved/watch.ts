/** The watch of a saved question, as `PUT /saved/N` takes it: its condition, its keys, and its receivers. */
import { z } from 'zod'
import { text, wholeNumber } from '../../base/decode/values.ts'
import type { WireObject } from '../../base/decode/wire-object.ts'
import { isObject, type Json } from '../../base/json.ts'
import { Refusal } from '../../base/refusal.ts'
import { hint } from '../../base/suggest.ts'
import { parseWhen } from './when.ts'

const withoutRows = ['resolved', 'alert', 'keep'] as const
const withErrors = ['alert', 'keep'] as const
const bodyFormats = ['weir', 'alertmanager'] as const

export type Watch = {
  /** Seconds between two evaluations, which come at whole multiples of it. */
  readonly every: number
  readonly when: string
  /** The columns whose values have a state each; none for one state of the whole answer. */
  readonly key: readonly string[]
  /** Seconds that the condition has to hold before the alert fires. */
  readonly for: number
  /** Seconds for which an alert goes on firing once the condition holds no more. */
  readonly keep: number
  /** Seconds between two sends of an alert that goes on firing; absent for one send. */
  readonly again?: number
  readonly no_rows: (typeof withoutRows)[number]
  readonly error: (typeof withErrors)[number]
  /** Absent where nothing is sent. */
  readonly notf?: number
  readonly format: (typeof bodyFormats)[number]
  readonly labels: Readonly<Record<string, string>>
}

const maxSeconds = 30 * 86_400
const maxKeyColumns = 10
const maxLabels = 20
const maxLabelName = 100
const maxLabelText = 500
const maxWhen = 10_000

const column = z.string().min(1)

export const watchOnWire = z.object({
  every: z.int().min(1).max(86_400).optional().meta({ description: 'seconds between two evaluations; 60 if absent' }),
  when: z.string().meta({ description: 'a condition on the columns of a row, in the language of where: p95 > 800' }),
  key: z
    .array(column)
    .optional()
    .meta({ description: 'columns whose values have a state each; absent: one state for the whole answer' }),
  for: z.int().min(0).optional().meta({ description: 'seconds that the condition has to hold; 0 if absent' }),
  keep: z.int().min(0).optional().meta({ description: 'seconds that an alert fires on; 0 if absent' }),
  again: z.int().min(1).optional().meta({ description: 'seconds between two sends while it fires; absent: one send' }),
  no_rows: z
    .enum(withoutRows)
    .optional()
    .meta({ description: 'what an answer without rows means; resolved if absent' }),
  error: z
    .enum(withErrors)
    .optional()
    .meta({ description: 'alert, if absent: an evaluation that fails is an alert of its own; keep: nothing is sent' }),
  notf: z.int().min(0).optional().meta({ description: 'the template of notifications that is sent' }),
  format: z.enum(bodyFormats).optional().meta({ description: 'of the body that is sent; weir if absent' }),
  labels: z.record(z.string(), z.string()).optional().meta({ description: 'texts that go along with each send' }),
})

const seconds = (least: number) => wholeNumber(least, maxSeconds)

/** `shape` of a watch within the object of its question; undefined where a problem was noted. */
export function decodeWatch(question: WireObject, wire: Json | undefined): Watch | undefined {
  if (wire === undefined || wire === null) return undefined
  if (!isObject(wire)) return void question.fail('watch', 'must be an object such as {"when": "p95 > 800", "notf": 7}')
  const object = question.object('watch')
  if (!object) return undefined
  const names = Object.keys(watchOnWire.shape)
  for (const name of Object.keys(wire)) if (!names.includes(name)) object.fail(name, `is unknown${hint(name, names)}`)
  const every = object.take('every', wholeNumber(1, 86_400).default(60)) ?? 60
  const condition = text.min(1, 'must not be empty').max(maxWhen, `must be at most ${maxWhen} characters long`)
  const when = object.take('when', condition) ?? ''
  const held = object.take('for', seconds(0).default(0)) ?? 0
  const keep = object.take('keep', seconds(0).default(0)) ?? 0
  const again = object.take('again', seconds(1).optional())
  const no_rows = object.take('no_rows', oneOf(withoutRows).default('resolved')) ?? 'resolved'
  const error = object.take('error', oneOf(withErrors).default('alert')) ?? 'alert'
  const format = object.take('format', oneOf(bodyFormats).default('weir')) ?? 'weir'
  const notf = object.take('notf', wholeNumber(0, Number.MAX_SAFE_INTEGER).optional())
  const key = keyIn(object, wire.key)
  const labels = labelsIn(object, wire.labels)
  if (when !== '') refuseBadCondition(object, when)
  return {
    ...{ every, when, key, for: held, keep, no_rows, error, format, labels },
    ...(again !== undefined && { again }),
    ...(notf !== undefined && { notf }),
  }
}

const oneOf = <const Names extends readonly [string, ...string[]]>(names: Names) =>
  z.enum(names, `must be ${names.slice(0, -1).join(', ')} or ${names.at(-1)}`)

function refuseBadCondition(object: WireObject, when: string): void {
  try {
    parseWhen(when)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    for (const problem of error.problems) object.fail('when', problem)
  }
}

function keyIn(object: WireObject, wire: Json | undefined): string[] {
  if (wire === undefined || wire === null) return []
  const columns = Array.isArray(wire) ? wire.filter((each) => typeof each === 'string' && each !== '') : []
  if (!Array.isArray(wire) || columns.length < wire.length || wire.length === 0)
    object.fail('key', 'must be a list of columns of the answer, such as ["page"]')
  else if (new Set(columns).size < columns.length) object.fail('key', 'names a column twice')
  else if (columns.length > maxKeyColumns) object.fail('key', `names over ${maxKeyColumns} columns`)
  return columns.map(String)
}

function labelsIn(object: WireObject, wire: Json | undefined): Record<string, string> {
  if (wire === undefined || wire === null) return {}
  if (!isObject(wire)) {
    object.fail('labels', 'must be an object of texts, such as {"team": "shop"}')
    return {}
  }
  const labels: [string, string][] = []
  for (const [name, value] of Object.entries(wire)) {
    if (name === '' || name.length > maxLabelName)
      object.fail('labels', `has a name of over ${maxLabelName} characters`)
    else if (typeof value !== 'string' || value.length > maxLabelText)
      object.fail('labels', `${name.slice(0, 40)} must be a text of at most ${maxLabelText} characters`)
    else labels.push([name, value])
  }
  if (labels.length > maxLabels) object.fail('labels', `has over ${maxLabels} texts`)
  return Object.fromEntries(labels)
}

/** A watch as it is shown, and as the catalogue has it. */
export const watchToWire = ({ key, labels, ...watch }: Watch): { readonly [name: string]: Json } => ({
  ...watch,
  ...(key.length > 0 && { key: [...key] }),
  ...(Object.keys(labels).length > 0 && { labels: { ...labels } }),
})
