import { z } from 'zod'
import { Refusal } from '../../../../sql/refusal.ts'
import { codeTable } from '../../../../sql/schema/code-table.ts'
import type { Part } from '../../../../sql/schema/decode/part.ts'
import { attributeName, code, text, whole } from '../../../../sql/schema/values.ts'
import type { Algorithm } from '../../algorithms/algorithm.ts'
import type { FormatName } from '../../formats/index.ts'
import { type AttributeEntry, createLayout, type Layout } from '../../layout.ts'
import type { Parameters } from '../../parameters.ts'

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

const mostAttributes = 100_000
const attributeType = z.union([z.string(), z.number()], { error: 'must be a type: a name or its number' }).optional()

const separator = text.optional()

const attributeOnWire = z.object({
  name: attributeName,
  position: whole(0, 2 ** 31 - 1),
  type: attributeType,
})
const { shape } = attributeOnWire

/** What a training request says of its attributes, and what its `training_details` say of the data. */
export const layoutOnWire = z.object({
  attr_type: code(kindCodes).optional(),
  attr_list: z.array(attributeOnWire).max(mostAttributes).optional(),
  SEP: separator,
})
export const targetOnWire = z.object({ target_idx: whole(-1, 2 ** 31 - 1).optional(), SEP: separator })

type Given = {
  readonly algorithm: Algorithm
  readonly input: FormatName
  readonly parameters: Parameters | undefined
}

/** Throws a `Refusal` for attributes that do not fit together, or not the algorithm and the format. */
export function decodeLayout(part: Part, details: Part, { algorithm, input, parameters = {} }: Given): Layout {
  const kind = part.has('attr_type') ? part.take('attr_type', layoutOnWire.shape.attr_type) : undefined
  const listed = part.parts('attr_list', mostAttributes).map((entry) => ({
    name: entry.take('name', shape.name) ?? '',
    position: entry.take('position', shape.position) ?? 0,
    type: entry.take('type', shape.type),
  }))
  const attributes = listed.length > 0 ? listed : standard(algorithm, input)
  const asked = details.take('target_idx', targetOnWire.shape.target_idx) ?? -1
  const isFirst = input === 'SVM' || (algorithm.learnsFrom === 'texts' && listed.length === 0)
  const targetIndex = asked >= 0 ? asked : isFirst ? 0 : undefined
  const given = details.take('SEP', separator) ?? part.take('SEP', separator)
  const layout = createLayout({
    attributes,
    attributeKind: kinds[kind ?? 'HYBRID'],
    targetIndex,
    separator: given === 'TAB' || given === '\\t' ? '\t' : given,
  })
  refuseMisfit(layout, algorithm, input, parameters, listed.length)
  return algorithm.learnsFrom === 'texts' ? textsAsWords(layout) : layout
}

/** Texts come with their label by names and places of their own where the request names none. */
function standard({ learnsFrom }: Algorithm, input: FormatName): readonly AttributeEntry[] {
  if (learnsFrom !== 'texts' || input === 'SVM') return []
  return [
    { name: 'label', position: 0, type: 'STRING' },
    { name: 'text', position: 1, type: 'STRING' },
  ]
}

/** A text of digits is a text. */
const textsAsWords = (layout: Layout): Layout => ({
  ...layout,
  columns: layout.columns.map((column) => ({ ...column, kind: 'word' })),
})

function refuseMisfit(
  { target }: Layout,
  algorithm: Algorithm,
  input: FormatName,
  parameters: Parameters,
  listed: number,
): void {
  if (algorithm.learnsFrom === 'texts') {
    if (input === 'SVM') throw new Refusal(`${algorithm.name} learns from texts, and input_format SVM holds numbers`)
    if (algorithm.kind === 'entities' && input !== 'JSON') {
      throw new Refusal(`${algorithm.name} learns from lines of JSON {"text", "entities"}; input_format is ${input}`)
    }
    return
  }
  if (listed === 0 && (input !== 'SVM' || algorithm.learnsFrom === 'script')) {
    throw new Refusal('attr_list is missing: a list of {name, position, type}')
  }
  if (target?.unnamed && (input === 'JSON' || input === 'KV')) {
    throw new Refusal(`target_idx is ${target.position}, which no attribute of attr_list has; ${input} goes by names`)
  }
  if (algorithm.learnsFrom === 'rows' && target === undefined && algorithm.task(parameters) !== 'none') {
    throw new Refusal(`target_idx is missing in training_details: ${algorithm.name} needs a target`)
  }
}
