import { qualified } from '../../identifier.ts'
import { feedView, inputTable } from '../names.ts'
import type { Schema, Stream } from '../schema.ts'
import { appliedBy, laneOf, unseen } from './watermark.ts'

export const minute_us = 60_000_000

/** Counts posted events by the minute of their arrival, for `select usage`. */
export function createUsageFeed(schema: Schema, stream: Stream): string {
  const view = feedView('weir_usage', stream.name)
  const feed = `${schema.name}.${view}`
  const input = qualified(schema.name, inputTable(stream.name))
  return [
    `CREATE MATERIALIZED VIEW IF NOT EXISTS ${qualified(schema.name, view)}`,
    'TO weir.usage AS SELECT',
    `  intDiv(_seq, ${minute_us}) * ${minute_us} AS minute,`,
    `  count() AS events${schema.redelivered ? `,\n  ${appliedBy(feed)}` : ''}`,
    `FROM ${schema.redelivered ? unseen(input, 'weir.usage', laneOf(feed)) : input}`,
    'GROUP BY minute',
  ].join('\n')
}
