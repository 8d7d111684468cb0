import { z } from 'zod'

/** Which model. */
export type ModelKey = { readonly schema: string; readonly model: string }

/** Which training of a model: the microsecond at which it was asked for, greater for a later one. */
export type TrainingKey = ModelKey & { readonly training: number }

/** The record of a training; `training` is its `train_start_ts`. */
export const trainingRecord = z.object({
  schema: z.string(),
  model: z.string(),
  training: z.number(),
  state: z.number().int(),
  /** The request as the client sent it. */
  request: z.record(z.string(), z.unknown()),
  algorithm: z.string(),
  end_us: z.number(),
  /** How often a fit was begun: one that ends its process each time is given up. */
  fits: z.number().int(),
  /** 0 to 1. */
  progress: z.number(),
  tuned: z.record(z.string(), z.unknown()),
  log: z.array(z.string()),
  /** How many rows a stream or table had, and how many of them were taken. */
  source_rows: z.number().int().optional(),
  taken_rows: z.number().int().optional(),
  /** How many rows were read, and the fingerprint of their files. */
  rows: z.number().int().optional(),
  fingerprint: z.string().optional(),
  /** Its request says nothing of scaling, and its numbers are scaled. */
  scaledByDefault: z.literal(true).optional(),
  /** Its place among the steps that wait for their turn; 0 is none. */
  place: z.number().int().optional(),
  /** The thing for want of which it waits there. */
  lacking: z.enum(['memory', 'slot']).optional(),
  /** Sentences about data that might have been meant otherwise than they were read. */
  notes: z.array(z.string()).optional(),
  /** Why it failed or was stopped. */
  reason: z.string().optional(),
})

export type TrainingRecord = z.infer<typeof trainingRecord>

/** A training as `GET /ml/S/M/request` shows it. */
export function showTraining(record: TrainingRecord): Record<string, unknown> {
  const { schema, model, training, end_us, state, request, tuned, log, algorithm, reason, notes } = record
  const times = { train_start_ts: training, train_end_ts: end_us }
  return {
    ...request,
    ...times,
    train_req_state: state,
    ...(reason !== undefined && { reason }),
    ...(notes !== undefined && { notes }),
    tuned_algo_params: tuned,
    train_log: {
      log,
      'schema-name': schema,
      model_name: model,
      algo_type: algorithm,
      ...times,
      // While it goes on nothing is wrong.
      errorcode: state < 20 ? state : 0,
    },
  }
}
