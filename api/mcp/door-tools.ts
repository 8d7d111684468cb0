/** Tools of the doors by which the events of others come in: signed webhooks, files in buckets, topics of Kafka. */
import { z } from 'zod'
import { isObject, type Json, parseJson, writeJson } from '../../base/json.ts'
import { importOnWire } from '../../sql/import/definition.ts'
import { roomOfList } from './bounds.ts'
import { at, itemsOf } from './rows.ts'
import { identifier, isFine, schemaShown, tool, words } from './tool.ts'

/** All that there may be of each. */
const maxListed = 1000

const listHooks = tool(
  'list_hooks',
  ['read'],
  'reads',
  'Lists the hooks: doors for the signed webhooks of others, each with its stream and the scheme of its signatures. describe_hook tells more of one.',
  itemsOf({}),
  async ({ limit }, inner) => ({
    ...(await inner({ method: 'GET', path: `/hook?limit=${maxListed}` })),
    room: roomOfList(limit),
  }),
)

const describeHook = tool(
  'describe_hook',
  ['read'],
  'reads',
  'Tells of one hook its definition, and the latest deliveries to it, newest first: the verdict of each, and why it was refused.',
  itemsOf({ hook: identifier('the hook') }),
  async ({ hook, limit }, inner) => ({
    ...(await inner({ method: 'GET', path: at`/hook/${hook}?limit=120` })),
    room: roomOfList(limit),
  }),
)

const listImports = tool(
  'list_imports',
  ['read'],
  'reads',
  'Lists the imports of files, the newest first, and how far each is. describe_import tells more of one.',
  itemsOf({}),
  async ({ limit }, inner) => ({
    ...(await inner({ method: 'GET', path: `/import?limit=${maxListed}` })),
    room: roomOfList(limit),
  }),
)

const describeImport = tool(
  'describe_import',
  ['read'],
  'reads',
  'Tells of one import how far it is, why it waits or failed, and the first rows that it refused, each with its file, its row and the reason.',
  itemsOf({ id: words('of the import, as list_imports has it') }),
  async ({ id, limit }, inner) => ({
    ...(await inner({ method: 'GET', path: at`/import/${id}` })),
    room: roomOfList(limit),
  }),
)

const listSources = tool(
  'list_sources',
  ['read'],
  'reads',
  "Lists the sources: topics of somebody else's Kafka that become events of a stream, each with its state and how many messages it is behind. describe_source tells more of one.",
  itemsOf({}),
  async ({ limit }, inner) => ({
    ...(await inner({ method: 'GET', path: `/source?limit=${maxListed}` })),
    room: roomOfList(limit),
  }),
)

const describeSource = tool(
  'describe_source',
  ['read'],
  'reads',
  'Tells of one source how far it is, partition by partition, why it waits or fails, and the latest messages that it refused, each with its offset and the reason.',
  itemsOf({ source: identifier('the source') }),
  async ({ source, limit }, inner) => ({
    ...(await inner({ method: 'GET', path: at`/source/${source}` })),
    room: roomOfList(limit),
  }),
)

const startImport = tool(
  'start_import',
  ['read', 'write'],
  'adds',
  'Begins to bring the rows of files in a bucket to a stream, and waits 20 seconds for its end; after that it goes on by itself. The same arguments under the same id begin nothing anew.',
  z.record(
    z.string(),
    z.custom<Json>(() => true),
  ),
  async (given, inner) => {
    const answer = await inner({ method: 'POST', path: '/import?wait=20', body: writeJson(given) })
    if (!isFine(answer)) return answer
    const told = parseJson(answer.text, 'the answer')
    const isUnderWay = isObject(told) && told.state === 'running'
    return {
      ...answer,
      ...(isUnderWay && { more: `it goes on: describe_import with id ${String(told.id)} follows it` }),
    }
  },
  schemaShown(importOnWire),
)

export const doorTools = [
  ...[listHooks, describeHook, listImports, describeImport, listSources, describeSource],
  startImport,
]
