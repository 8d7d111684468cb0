import { z } from 'zod'
import { type Json, writeJson } from '../../base/json.ts'
import { definitionSchema } from '../../sql/schema/words/json-schema.ts'
import type { Inner } from './inner.ts'
import { trainingTools } from './model-tools.ts'
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

/** A definition: the object, or its YAML as a text. The calls behind the tools check it: each fault with its place. */
const definition = z
  .union([object('the definition'), z.string().min(1)])
  .meta({ description: 'the definition in words, whole: {"schema": name, "streams": {...}}' })

type Given = { readonly definition: { [name: string]: Json } | string; readonly allow_loss?: boolean | undefined }

const changing = { definition, allow_loss: z.boolean().optional() }

/** The place in a body that the agent has not seen. */
const place = / \(line \d+, column \d+\)/g

/** A schema that is there is edited, another one registered. */
async function giveSchema(
  inner: Inner,
  { definition: given, allow_loss = false }: Given,
  isDry: boolean,
): Promise<Told> {
  const pathOf = (force: boolean): string => {
    const query = new URLSearchParams({ ...(isDry && { dry: '1' }), ...(force && { force: '1' }) })
    return query.size === 0 ? '/stream' : `/stream?${query}`
  }
  const sent = typeof given === 'string' ? { body: given, type: 'application/yaml' } : { body: writeJson(given) }
  const edited = await inner({ method: 'PUT', path: pathOf(allow_loss), ...sent })
  // A new schema has nothing to lose.
  const answer = edited.status === 404 ? await inner({ method: 'POST', path: pathOf(false), ...sent }) : edited
  const text = answer.text.replaceAll('?force=1', 'allow_loss: true')
  return { ...answer, text: typeof given === 'string' ? text : text.replace(place, '') }
}

const loss = {
  allow_loss: { type: 'boolean', description: 'true: also an edit that loses events or statistics' },
} as const

/** An agent sees this of a definition: all words, as the JSON Schema of definitions has them. */
const wholeShown = {
  ...{ type: 'object', properties: { definition: { $ref: definitionSchema.$ref }, ...loss } },
  ...{ required: ['definition'], additionalProperties: false, $defs: definitionSchema.$defs },
}

/** The short form of a description, for a tool whose neighbour says it in full. */
const partShown = {
  type: 'object',
  properties: {
    definition: {
      type: 'object',
      description: 'the definition, whole, of the form that apply_schema takes',
      properties: {
        schema: { type: 'string' },
        ...Object.fromEntries(
          ['streams', 'entities', 'joins', 'patterns'].map((each) => [
            each,
            { type: 'object', description: `${each} by name` },
          ]),
        ),
      },
      required: ['schema', 'streams'],
    },
    ...loss,
  },
  required: ['definition'],
  additionalProperties: false,
}

const checkSchema = tool(
  'check_schema',
  ['define'],
  'reads',
  'Says what a definition in words, or the edit of one that is there, would add, fill, lose, and why it would be refused. Changes nothing. weir://pages/words explains the words.',
  z.strictObject(changing),
  (given, inner) => giveSchema(inner, given, true),
  partShown,
)

const applySchema = tool(
  'apply_schema',
  ['define'],
  'changes',
  'Registers a definition in words, or edits the one of its name: what it does not name any more is dropped, so begin an edit with the definition of describe_schema. check_schema first. weir://pages/words explains the words.',
  z.strictObject(changing),
  (given, inner) => giveSchema(inner, given, false),
  wholeShown,
)

export const writingTools = [sendEvents, putRecord, checkSchema, applySchema, ...trainingTools]
