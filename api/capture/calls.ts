import { z } from 'zod'
import { precisions } from '../../activities/capture/write-lines.ts'
import { type Call, count, parameter, text } from '../http/call.ts'
import { linesTaken } from '../streams/calls.ts'

export const writeLines: Call = {
  id: 'writeLines',
  group: 'hooks',
  summary: 'Points in InfluxDB’s line protocol, as its clients and Telegraf write them',
  query: {
    bucket: parameter('a stream as `schema.stream`, or a schema whose streams the measurements name'),
    org: parameter('is not read', z.string().optional()),
    precision: parameter('the unit of times; ns', z.enum(Object.keys(precisions)).optional()),
  },
  body: { contents: [text('lines, such as `load,host=a value=0.5 1793491200000000000`')] },
  answers: [],
  also: { '204': { says: 'all points are on the disk' } },
  refuses: ['denied', 'forbidden', 'missing', 'off', 'conflict'],
  refusal: {
    line: count.optional().meta({ description: 'the first line that is refused' }),
    accepted: count.optional(),
    rejected: count.optional(),
    errors: linesTaken.shape.errors.optional(),
  },
}
