import { z } from 'zod'
import { writeExactJson } from '../base/exact-json.ts'
import { Refusal } from '../base/refusal.ts'
import type { Layout } from './layout.ts'
import { readMetadata } from './onnx/metadata.ts'

const label = z.union([z.number(), z.string()])
const place = { name: z.string(), position: z.number() }
const kind = z.enum(['number', 'word'])

export const seriesDescription = z.object({
  lag: z.number().int(),
  offset: z.number().int(),
  time: z.string(),
  uid: z.string().optional(),
})

/** The description that a model carries, in the metadata of its ONNX file: one pair a member, each value JSON. */
const modelDescription = z.object({
  /** The version of these metadata. */
  weir: z.literal(1),
  algorithm: z.string(),
  task: z.enum(['classes', 'numbers', 'clusters', 'entities']),
  /**
   * The attributes without the target, in the order of `attr_list`. The graph's input `numbers` has those of kind `number`,
   * its input `words` those of kind `word`.
   */
  attributes: z.array(
    z.object({
      ...place,
      kind,
      fill: z.number().optional(),
      dates: z.literal(true).optional(),
      booleans: z.literal(true).optional(),
    }),
  ),
  target: z
    .object({
      ...place,
      kind: kind.optional(),
      unnamed: z.literal(true).optional(),
      before: z.number().int().optional(),
    })
    .optional(),
  separator: z.string(),
  /** Spellings of a missing number, in place of the usual ones. */
  missing: z.array(z.string()).optional(),
  /** In the order of the columns of `probabilities`. */
  labels: z.array(label).optional(),
  /** Steps that Weir does before or after the graph, since ONNX has no operator for them, such as `tokens`. */
  outside: z.array(z.string()),
  /** The number of rows in one run of the graph: see `batchFor`. */
  batch: z.number().int().positive().default(1024),
  /** The model predicts the target from its last `lag` values, `lag1` being the latest one: `offset` + 1 steps after it. */
  series: seriesDescription.optional(),
  version: z.string().optional(),
  parameters: z.record(z.string(), z.unknown()).optional(),
})

export type ModelDescription = z.infer<typeof modelDescription>

/** A run of a kernel model has rows x support vectors in memory. For other models `supportVectors` is 1. */
export const batchFor = (supportVectors: number): number =>
  Math.min(1024, Math.max(64, Math.floor(2 ** 20 / supportVectors)))

export function metadataOf(description: ModelDescription): readonly (readonly [string, string])[] {
  return Object.entries(description).map(([key, value]) => [key, writeExactJson(value)] as const)
}

/** Throws a `Refusal` for bytes that are no ONNX model, and for a model without a description of Weir's. */
export function readDescription(model: Uint8Array): ModelDescription {
  const members = [...readMetadata(model)].flatMap(([key, value]) => {
    return key in modelDescription.shape ? [[key, parsedOrNull(value)] as const] : []
  })
  const parsed = modelDescription.safeParse(Object.fromEntries(members))
  if (parsed.success) return parsed.data
  throw new Refusal(
    parsed.error.issues.map((issue) => `the model's metadata: ${issue.path.join('.')}: ${issue.message}`),
  )
}

function parsedOrNull(value: string): unknown {
  try {
    return JSON.parse(value)
  } catch {
    return null
  }
}

/** The positions of a row's cells, as in the rows on which the model was trained. */
export function layoutOf({ attributes, target, separator, missing }: ModelDescription): Layout {
  const columns = attributes.map(({ name, position, kind, dates }) => ({
    name,
    position,
    kind,
    ...(dates && { dates }),
  }))
  const rules = { separator, ...(missing && { missing }) }
  if (target === undefined) return { columns, ...rules }
  const { name, position, kind, unnamed, before } = target
  const known = {
    name,
    position,
    ...(kind === undefined ? {} : { kind }),
    ...(unnamed === undefined ? {} : { unnamed }),
    ...(before === undefined ? {} : { before }),
  }
  return { columns, ...rules, target: known }
}
