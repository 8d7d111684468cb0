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
  /** Without the target, in the order of `attr_list`: the numbers among them are the graph's input `numbers`, the words its input `words`. */
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
  /** Steps that the graph does not hold and that Weir does round it, such as `tokens`. */
  outside: z.array(z.string()),
  /** So many rows are run at once: see `batchFor`. */
  batch: z.number().int().positive().default(1024),
  /** The model predicts the target from its last `lag` values, `lag1` being the latest one: `offset` + 1 steps after it. */
  series: seriesDescription.optional(),
  version: z.string().optional(),
  parameters: z.record(z.string(), z.unknown()).optional(),
})

export type ModelDescription = z.infer<typeof modelDescription>

/** Kernel models hold rows x support vectors in memory; for others the count is 1. */
export const batchFor = (supportVectors: number): number =>
  Math.min(1024, Math.max(64, Math.floor(2 ** 20 / supportVectors)))

export function metadataOf(description: ModelDescription): readonly (readonly [string, string])[] {
  return Object.entries(description).map(([key, value]) => [key, writeExactJson(value)] as const)
}

/** Throws a `Refusal` for bytes that are no model, or one of others that brings no description. */
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

/** Where a row's cells stand, as the model was trained. */
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
