import { z } from 'zod'
import { trainingOnWire } from '../../activities/training/decode/decode-request.ts'
import { type Json, writeJson } from '../../base/json.ts'
import { schemaOnWire } from '../../sql/schema/decode.ts'
import type { Inner } from './inner.ts'
import { identifier, object, type Told, tool } from './tool.ts'

const maxEvents = 10_000

const sendEvents = tool(
  'send_events',
  ['write'],
  'adds',
  'Posts events to a stream of type 1. Good ones are kept, and bad ones are listed with the reason; lines count from 1.',
  z.strictObject({
    schema: identifier('the schema'),
    stream: identifier('its stream'),
    events: z.array(object('an event')).min(1).max(maxEvents).meta({ description: 'in their order' }),
  }),
  ({ schema, stream, events }, inner) =>
    inner({
      method: 'POST',
      path: `/stream/${schema}/${stream}`,
      body: `${events.map((each) => writeJson(each)).join('\n')}\n`,
      type: 'application/x-ndjson',
    }),
)

const putRecord = tool(
  'put_record',
  ['write'],
  'changes',
  'Inserts a record of a table, or replaces the one of its key.',
  z.strictObject({
    database: identifier('the database'),
    table: identifier('the table'),
    key: z.union([z.string(), z.int()]).optional().meta({ description: 'of the record; made by the clock if absent' }),
    doc: z.union([object('of a wide table'), z.string(), z.number()]).meta({ description: 'the document' }),
  }),
  ({ database, table, key, doc }, inner) => {
    const body = writeJson({ ...(key !== undefined && { _pk: key }), doc })
    return inner({ method: 'POST', path: `/db/${database}/${table}/doc`, body })
  },
)

const described = object('the whole schema: {"schema": name, "streams": [...]}')

/** The calls behind the tools check a schema, and a request, themselves: each fault with its place. */
const schemaShown = z.strictObject({ schema: schemaOnWire })

/** A schema that is there is edited, another one registered. */
async function giveSchema(inner: Inner, schema: Json, query: string): Promise<Told> {
  const body = writeJson(schema)
  const edited = await inner({ method: 'PUT', path: `/stream${query}`, body })
  return edited.status === 404 ? inner({ method: 'POST', path: `/stream${query}`, body }) : edited
}

const checkSchema = tool(
  'check_schema',
  ['define'],
  'reads',
  'Says what a schema, or the edit of one that is there, would add, fill, lose, and why it would be refused. Changes nothing.',
  z.strictObject({ schema: described }),
  ({ schema }, inner) => giveSchema(inner, schema, '?dry=1'),
  schemaShown,
)

const applySchema = tool(
  'apply_schema',
  ['define'],
  'changes',
  'Registers a schema, or edits the one of its name: what it does not name any more is dropped. check_schema first.',
  z.strictObject({ schema: described }),
  ({ schema }, inner) => giveSchema(inner, schema, ''),
  schemaShown,
)

const trainModel = tool(
  'train_model',
  ['train'],
  'adds',
  'Begins the training of a model; training_status tells how it does.',
  z.strictObject({
    request: object(
      'as POST /ml/train takes it: schema-name, model_name, algo_type (TREE, LIN, SVM, KMEANS, ...), attr_list, target or target_idx, training_details',
    ),
  }),
  ({ request }, inner) => inner({ method: 'POST', path: '/ml/train', body: writeJson(request) }),
  z.strictObject({ request: trainingOnWire }),
)

export const writingTools = [sendEvents, putRecord, checkSchema, applySchema, trainModel]
