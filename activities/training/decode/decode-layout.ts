import { z } from 'zod'
import { codeTable } from '../../../base/code-table.ts'
import { code, flag, text, wholeNumber } from '../../../base/decode/values.ts'
import type { WireObject } from '../../../base/decode/wire-object.ts'
import { Refusal } from '../../../base/refusal.ts'
import { hint } from '../../../base/suggest.ts'
import type { Algorithm, TextAlgorithm } from '../../../learn/algorithms/algorithm.ts'
import { createNameFinder } from '../../../learn/formats/header.ts'
import type { FormatName } from '../../../learn/formats/index.ts'
import {
  type AttributeEntry,
  type Column,
  createLayout,
  type Layout,
  type TargetColumn,
  typedAttributes,
} from '../../../learn/layout.ts'
import type { Parameters } from '../../../learn/parameters.ts'
import type { NamedByData } from './request.ts'

const kindCodes = codeTable(
  'attr_type',
  [
    [1, 'NUM'],
    [2, 'STR'],
    [3, 'HYBRID'],
  ],
  { STRING: 'STR', HYB: 'HYBRID' },
)
const kinds = { NUM: 'number', STR: 'word', HYBRID: 'hybrid' } as const

const maxAttributes = 100_000
const attributeType = z.union([z.string(), z.number()], { error: 'must be a type: a name or its number' }).optional()

const tabs = ['TAB', '\\t']
const separator = text
  .refine(
    (value) => /^[^"\r\n]$/.test(value) || tabs.includes(value),
    'must be one character, or TAB; no quote or line end',
  )
  .transform((value) => (tabs.includes(value) ? '\t' : value))
  .optional()

/** A header's: any text, which an event's attribute could not have for a name. */
const attributeName = text
  .refine((name) => name.trim() !== '', 'must not be empty')
  .refine((name) => name.length <= 256, 'must be at most 256 characters long')

const place = wholeNumber(0, 2 ** 31 - 1)

const attributeOnWire = z.object({
  name: attributeName,
  /** Absent: its place in the list. */
  position: place.optional(),
  type: attributeType,
  learn: flag.optional().meta({ description: '0: rows are held out by the attribute, and nothing is learnt from it' }),
})
const { shape } = attributeOnWire

/** The target's name, in place of its position. */
const nameOfTarget = text.optional()

/**
 * The members of a training request about its attributes, and of its `training_details` about the data; those of the
 * request count where `training_details` has none.
 */
export const layoutOnWire = z.object({
  attr_type: code(kindCodes).optional(),
  attr_list: z.array(attributeOnWire).max(maxAttributes).optional(),
  target: nameOfTarget,
  SEP: separator,
})
export const targetOnWire = z.object({
  target_idx: wholeNumber(-1, 2 ** 31 - 1).optional(),
  target: nameOfTarget,
  SEP: separator,
})

type Given = {
  readonly algorithm: Algorithm
  readonly input: FormatName
  readonly expected: FormatName
  readonly parameters: Parameters | undefined
  /** Rows are windows of series: the quantity alone will do, whose time may be `_pk`. */
  readonly isSeries?: boolean
}

export type DecodedLayout = {
  readonly layout: Layout
  readonly attributes: readonly AttributeEntry[]
  readonly namedByData?: NamedByData
}

/** Undefined where a problem was found: a member's, or attributes that do not fit together, or not the algorithm and the format. */
export function decodeLayout(object: WireObject, details: WireObject, given: Given): DecodedLayout | undefined {
  const { algorithm, input } = given
  const kind = object.take('attr_type', layoutOnWire.shape.attr_type)
  const listed = takeAttributes(object, input === 'JSON' || input === 'KV')
  const asked = details.take('target_idx', targetOnWire.shape.target_idx.default(-1))
  const targetName = (details.take('target', nameOfTarget) ?? object.take('target', nameOfTarget))?.trim() || undefined
  const separatedBy = details.take('SEP', separator) ?? object.take('SEP', separator)
  if (listed === undefined) return undefined
  const isAbsent = object.take('attr_list', z.unknown()) === undefined
  const isNamed =
    targetName !== undefined || (algorithm.learnsFrom === 'rows' && algorithm.task(given.parameters ?? {}) === 'none')
  if (
    isAbsent &&
    isNamed &&
    algorithm.learnsFrom === 'rows' &&
    (input === 'CSV' || input === 'JSON' || input === 'KV')
  ) {
    const asks = targetName === undefined ? {} : { target: targetName }
    return {
      layout: { columns: [], separator: separatedBy ?? ',' },
      attributes: [],
      namedByData: { kind: kinds[kind ?? 'HYBRID'], ...asks },
    }
  }

  const isListed = listed.length > 0 && !isTextAlone(algorithm, input, listed)
  const attributes = isListed ? listed : standard(algorithm, input, targetName)
  const isFirst = input === 'SVM' || (algorithm.learnsFrom === 'texts' && !isListed)
  const byName = targetName === undefined ? undefined : placeOf(details, targetName, attributes)
  if (targetName !== undefined && byName === undefined) return undefined
  if (byName !== undefined && asked !== undefined && asked >= 0 && asked !== byName) {
    details.fail('target', `is '${targetName}' at position ${byName}, and target_idx is ${asked}`)
    return undefined
  }
  const targetIndex = byName ?? (asked !== undefined && asked >= 0 ? asked : isFirst ? 0 : undefined)
  const request = {
    attributes,
    attributeKind: kinds[kind ?? 'HYBRID'],
    targetIndex,
    separator: separatedBy,
    isSeries: given.isSeries,
  }
  const layout = gathered(object, 'attr_list', () => createLayout(request))
  // Where the target's place is wrong, a misfit for want of a target is not reported.
  if (layout === undefined || asked === undefined) return undefined
  const misfit = misfitOf(layout, given, listed.length)
  if (misfit !== undefined) {
    const [member, sentence] = misfit
    const place = member === 'attr_list' ? object : details
    place.fail(member, sentence)
    return undefined
  }
  if (layout.target?.unnamed) noteUnnamed(details, layout.target, input)
  return {
    layout: algorithm.learnsFrom === 'texts' ? textsAsWords(layout) : layout,
    attributes: typedAttributes(request),
  }
}

/** The position of the attribute with that name. */
function placeOf(details: WireObject, target: string, attributes: readonly AttributeEntry[]): number | undefined {
  const names = attributes.map(({ name }) => name)
  const found = attributes[createNameFinder(names)(target)]
  if (found === undefined) details.fail('target', `is '${target}', which attr_list does not name${hint(target, names)}`)
  return found?.position
}

/** Undefined where the list or one of it is wrong: attributes that the rest then seems to lack or to repeat are not reported. */
function takeAttributes(object: WireObject, areNamed: boolean): readonly AttributeEntry[] | undefined {
  const entries = object.objects('attr_list', maxAttributes).map((entry, index) => {
    entry.only(shape)
    return {
      name: entry.take('name', shape.name),
      // Where rows give values by name, an attribute's place in the list will do.
      position: entry.take('position', areNamed ? shape.position.default(index) : place),
      type: entry.take('type', shape.type),
      learn: entry.take('learn', shape.learn),
    }
  })
  const whole = entries.flatMap(({ name, position, type, learn }) =>
    name === undefined || position === undefined
      ? []
      : [{ name, position, type, ...(learn !== undefined && { learn }) }],
  )
  const isWrong = whole.length < entries.length || (entries.length === 0 && object.has('attr_list'))
  return isWrong ? undefined : whole
}

/** Texts come with their label by names and places of their own where the request names none. */
function standard({ learnsFrom }: Algorithm, input: FormatName, target = 'label'): readonly AttributeEntry[] {
  if (learnsFrom !== 'texts' || input === 'SVM') return []
  return [
    { name: target, position: 0, type: 'STRING' },
    { name: 'text', position: 1, type: 'STRING' },
  ]
}

/** Lines of entities have no label, so that a list may name their text alone. */
const isTextAlone = (algorithm: Algorithm, input: FormatName, { length }: readonly AttributeEntry[]): boolean =>
  algorithm.learnsFrom === 'texts' && algorithm.kind !== 'classes' && input === 'JSON' && length === 1

/** A text of digits is a text. */
const textsAsWords = (layout: Layout): Layout => ({
  ...layout,
  columns: layout.columns.map((column) => ({ ...column, kind: 'word' })),
})

/** A column that is not listed may be the target, and a place that no column has shows in the data alone: neither passes in silence. */
function noteUnnamed(details: WireObject, { position }: TargetColumn, input: FormatName): void {
  if (input !== 'SVM' && input !== 'TEXT') {
    details.note('target_idx', `is ${position}, which no attribute of attr_list has: the column there is the target`)
  } else if (position !== 0) details.note('target_idx', `does nothing: a line of ${input} begins with the label`)
}

/** The member that does not fit the algorithm or the format, and why. */
type Misfit = readonly [member: 'attr_list' | 'target_idx' | 'input_format' | 'expected_format', sentence: string]

function misfitOf(layout: Layout, given: Given, listed: number): Misfit | undefined {
  const { algorithm, input, expected, parameters = {}, isSeries } = given
  const { columns, target } = layout
  if (algorithm.learnsFrom === 'texts') return misfitOfTexts(layout, algorithm, input)
  if (listed === 0 && (input !== 'SVM' || algorithm.learnsFrom === 'script')) {
    return ['attr_list', 'is missing: a list of {name, position, type}']
  }
  if (target?.unnamed && (input === 'JSON' || input === 'KV')) {
    return ['target_idx', `is ${target.position}, which no attribute of attr_list has; ${input} goes by names`]
  }
  if (algorithm.learnsFrom === 'rows' && target === undefined && algorithm.task(parameters) !== 'none') {
    return ['target_idx', `is missing: ${algorithm.name} needs a target`]
  }
  if (columns.length > 1 && !isSeries && (input === 'TEXT' || expected === 'TEXT')) {
    const member = input === 'TEXT' ? 'input_format' : 'expected_format'
    return [
      member,
      `is TEXT, a label and one text a line; attr_list has ${columns.length} attributes beside the target`,
    ]
  }
  return undefined
}

const places = (columns: readonly Column[]): string =>
  columns
    .slice(0, 20)
    .map(({ name, position }) => `${position} (${name})`)
    .join(' or ')

/** Lines of JSON may hold entities, which need neither label nor names. */
function misfitOfTexts({ columns, target }: Layout, { name, kind }: TextAlgorithm, input: FormatName) {
  if (input === 'SVM') return ['input_format', `is SVM, which holds numbers; ${name} learns from texts`] as const
  if (kind === 'entities') {
    const lines = `is ${input}; ${name} learns from lines of JSON {"text", "entities"}`
    return input === 'JSON' ? undefined : (['input_format', lines] as const)
  }
  if (input === 'JSON' && kind === undefined) return undefined
  if (target === undefined) return ['target_idx', `is missing: ${name} takes the label of a text there`] as const
  if (columns.length === 1) return undefined
  if (target.unnamed) return ['target_idx', `is ${target.position}; the label is at ${places(columns)}`] as const
  return ['attr_list', `has ${columns.length} attributes beside the label; ${name} learns from one text`] as const
}

/** The message of a refusal joins the other problems, as a problem of a member. */
export function gathered<Value>(object: WireObject, member: string, decode: () => Value): Value | undefined {
  try {
    return decode()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    for (const problem of error.problems) object.fail(member, problem)
    return undefined
  }
}
