import { qualified } from '../../identifier.ts'
import { feedView, inputTable } from '../names.ts'
import type { Schema, Stream } from '../schema.ts'

export const minute_us = 60_000_000

/** Counts posted events by the minute of their arrival, for `select usage`. */
export const createUsageFeed = (schema: Schema, stream: Stream): string =>
  [
    `CREATE MATERIALIZED VIEW IF NOT EXISTS ${qualified(schema.name, feedView('weir_usage', stream.name))}`,
    'TO weir.usage AS SELECT',
    `  intDiv(_seq, ${minute_us}) * ${minute_us} AS minute,`,
    '  count() AS events',
    `FROM ${qualified(schema.name, inputTable(stream.name))}`,
    'GROUP BY minute',
  ].join('\n')
