import { z } from 'zod'
import { bytes, type Call, consistency, count, json, text } from '../http/call.ts'
import { sqlOnWire } from './sql-body.ts'

/** ClickHouse's formats JSON and JSONCompact. */
const answer = z
  .object({
    meta: z.array(z.object({ name: z.string(), type: z.string() })).optional(),
    data: z.unknown().optional(),
    rows: count.optional(),
  })
  .catchall(z.unknown())

export const runSql: Call = {
  id: 'runSql',
  group: 'queries',
  summary: "Runs a statement of analysts' SQL",
  parameters: 'told',
  query: consistency,
  body: { contents: [json(sqlOnWire)] },
  answers: [
    json(answer),
    text('of JSONEachRow and its like', 'application/x-ndjson'),
    text('of CSV, CSVWithNames', 'text/csv'),
    text('of TabSeparated and its like', 'text/tab-separated-values'),
    text('of Pretty, Vertical, Markdown and others', 'text/plain'),
    text('of XML', 'application/xml'),
    bytes('of Parquet, Arrow, Native and others'),
  ],
  refuses: ['forbidden', 'missing', 'conflict', 'off'],
  refusal: { code: z.int().optional().meta({ description: "ClickHouse's code of the exception" }) },
}
