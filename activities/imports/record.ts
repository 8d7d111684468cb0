/** The record of an import, in parts with one writer each, so that none undoes another's. */
import { z } from 'zod'
import { parseJson } from '../../base/json.ts'
import { decodeImport, type FileImport } from '../../sql/import/definition.ts'

/** Rows that an import lists with their reasons. */
export const listedRows = 100

/** Written once, by the call that asks. */
export const asked = z.object({
  /** JSON of the definition, as `importToWire` writes it. */
  definition: z.string(),
  by: z.string(),
  at_us: z.number(),
  /** Tells the import from another one that had its id before. Absent in records of earlier releases. */
  run: z.string().optional(),
  /** The types of the stream's attributes then: cells of CSV are read by them, also after a restart. */
  types: z.record(z.string(), z.enum(['STRING', 'LONG', 'DOUBLE', 'BOOL', 'OBJECT'])),
})

/** A row that is not in the stream, by its file and its line (of Parquet and JSON: its number), and why. */
const refusedRow = z.object({ key: z.string(), row: z.number(), error: z.string() })

/** Written by the process that brings the rows, which is one at a time. */
export const progress = z.object({
  state: z.enum(['running', 'done', 'failed', 'cancelled']),
  reason: z.string().optional(),
  end_us: z.number().optional(),
  /** The folder whose log remembers the batches, and the process over it. */
  home: z.string(),
  process: z.string(),
  /** Batches beyond `at` may be in that log. */
  isAhead: z.boolean(),
  /** How often it was begun without getting any further. */
  tries: z.number(),
  /** Why it stands still. */
  waits: z.string().optional(),
  num_files: z.number(),
  files_done: z.number(),
  bytes: z.number(),
  bytes_done: z.number(),
  accepted: z.number(),
  repeated: z.number(),
  refused: z.number(),
  errors: z.array(refusedRow),
  notes: z.array(z.string()),
  /** Columns or paths that the definition names and that no row has had so far. Absent in records of earlier releases. */
  unseen: z.array(z.string()).optional(),
  /** The last row that is in, of the file of that version; `isWhole`: no row is behind it. */
  at: z.object({ key: z.string(), version: z.string(), row: z.number(), isWhole: z.boolean() }).optional(),
})

export type Asked = z.infer<typeof asked>
export type Progress = z.infer<typeof progress>
export type RefusedRow = z.infer<typeof refusedRow>

export type ImportRecord = {
  readonly id: string
  readonly asked: Asked
  readonly progress: Progress
  readonly isCancelled: boolean
}

/** The state of an import as its readers see it: one whose end was asked for brings no further rows. */
export const stateOf = ({ progress: { state }, isCancelled }: ImportRecord): Progress['state'] =>
  state === 'running' && isCancelled ? 'cancelled' : state

export const isUnderWay = (record: ImportRecord): boolean => stateOf(record) === 'running'

/** Begins the idempotency keys of its batches: an id that is forgotten may be used anew. */
export const keysOf = (id: string, { run }: Asked): string => (run === undefined ? id : `${id}:${run}`)

export const definitionOf = ({ definition }: Asked): FileImport =>
  decodeImport(parseJson(definition, 'the import')).definition
