/** Tools that say what a schema, a stream, a table, a graph is, and which questions may be asked of it. */
import { isObject, type Json, parseJson, writeJson } from '../../base/json.ts'
import { labelsIn, questionsOfGraph, type RelationKind, relationsIn } from '../../sql/graph/index.ts'
import type { Question, Sample } from '../../sql/question.ts'
import { decodeSchema } from '../../sql/schema/decode.ts'
import { questionsOf } from '../../sql/schema/questions.ts'
import { questionsOfTable } from '../../sql/table/questions.ts'
import { roomOfList } from './bounds.ts'
import type { Inner } from './inner.ts'
import { askRows, askSql, at, itemsOf, rowsIn } from './rows.ts'
import { identifier, isFine, type Told, tool } from './tool.ts'

type Wire = { readonly [name: string]: Json }

const isOn = (state: Json | undefined): string => (String(state) === '1' ? 'on' : 'off')

const kinds: Readonly<Record<string, string>> = { 1: 'posted', 2: 'filtered', 3: 'joined', 4: 'entity' }

/** A list of an answer, of objects alone. */
const members = (value: Json | undefined, name: string): readonly Wire[] => {
  const list = isObject(value) ? value[name] : undefined
  return Array.isArray(list) ? list.filter(isObject) : []
}

const read = (text: string): Json => parseJson(text, 'the answer')
const isWire = (value: Json | undefined): value is Wire => value !== undefined && isObject(value)

const memberOf = (value: Json, name: string): Json | undefined => (isObject(value) ? value[name] : undefined)

type ToldRoom = Pick<Told, 'room' | 'whenCut'>

/** Parts that were cut of a description come with a limit. */
const roomFor = (limit: number | undefined): ToldRoom => ({
  room: roomOfList(limit),
  ...(limit === undefined && { whenCut: () => 'set limit to 1000 for more: up to 256 KB' }),
})

const listSchemas = tool(
  'list_schemas',
  ['read'],
  'reads',
  'Lists the schemas, whether each is on, and how many streams it has. describe_schema and describe_stream tell more of one.',
  itemsOf({}),
  async ({ limit }, inner) => {
    const answer = await inner({ method: 'GET', path: '/stream/list' })
    if (!isFine(answer)) return answer
    const schemas = members(read(answer.text), 'schemas').map(({ name, state, num_streams }) => ({
      name: name ?? '',
      state: isOn(state),
      num_streams: num_streams ?? 0,
    }))
    return { ...answer, ...roomFor(limit), text: writeJson({ schemas, num_schemas: schemas.length }) }
  },
)

const describeSchema = tool(
  'describe_schema',
  ['read'],
  'reads',
  'Tells of one schema its streams, with their kinds and how many events each has, and its whole definition in words, as check_schema and apply_schema take it.',
  itemsOf({ schema: identifier('the schema') }),
  async ({ schema, limit }, inner) => {
    const info = await inner({ method: 'GET', path: at`/stream/${schema}/info` })
    if (!isFine(info)) return info
    const words = await inner({ method: 'GET', path: at`/stream/${schema}/schema?as=words` })
    if (!isFine(words)) return words
    const streams = members(read(info.text), 'streams').map(({ name, type, state, num_events, edit }) => ({
      name: name ?? '',
      kind: kinds[String(type)] ?? '',
      state: isOn(state),
      num_events: num_events ?? 0,
      ...(edit !== undefined && { edit }),
    }))
    return { ...words, ...roomFor(limit), text: writeJson({ streams, definition: read(words.text) }) }
  },
)

/** The streams that a join or a pattern is about. */
const sidesOf = (rule: Wire): readonly Json[] =>
  [rule.in, rule.first, rule.then].flatMap((side) =>
    isWire(side) ? [side.stream ?? ''] : side === undefined ? [] : [side],
  )

/** The parts of a definition in words that say something of one stream. */
function partOf(definition: Json, stream: string): Wire {
  const pick = (part: Json | undefined, isOf: (value: Json, name: string) => boolean): Wire | undefined => {
    if (!isWire(part)) return undefined
    const found = Object.entries(part).filter(([name, value]) => isOf(value, name))
    return found.length === 0 ? undefined : Object.fromEntries(found)
  }
  const each = (value: Json): readonly Wire[] => [value].flat().filter(isWire)
  const said = isWire(definition) ? definition : {}
  const isNamed = (_: Json, name: string): boolean => name === stream
  const isOfRule = (value: Json): boolean =>
    each(value).some((rule) => rule.into === stream || sidesOf(rule).includes(stream))
  const isOfEntity = (value: Json, name: string): boolean =>
    name === stream ||
    (isWire(value) && (value.of === stream || members(value, 'feeds').some((feed) => feed.of === stream)))
  return Object.fromEntries(
    [
      ['streams', pick(said.streams, isNamed)] as const,
      ['entities', pick(said.entities, isOfEntity)] as const,
      ['joins', pick(said.joins, isOfRule)] as const,
      ['patterns', pick(said.patterns, isOfRule)] as const,
    ].flatMap(([name, part]) => (part === undefined ? [] : [[name, part]])),
  )
}

const asJson = (questions: readonly Question[]): Json => questions.map((each): Json => ({ ...each }))

const describeStream = tool(
  'describe_stream',
  ['read'],
  'reads',
  'Tells of one stream its definition in words, three sample events, and the questions that may be asked of it: each with a statement for the tool of its name (sql, query, graph_query), which works as it is.',
  itemsOf({ schema: identifier('the schema'), stream: identifier('its stream') }),
  async ({ schema, stream, limit }, inner) => {
    const state = await inner({ method: 'GET', path: at`/stream/${schema}/${stream}/state` })
    if (!isFine(state)) return state
    const [wire, words] = await Promise.all(
      ['', '?as=words'].map((form) => inner({ method: 'GET', path: `${at`/stream/${schema}/schema`}${form}` })),
    )
    if (!wire || !isFine(wire) || !words || !isFine(words)) return wire && !isFine(wire) ? wire : (words ?? state)
    const decoded = decodeSchema(read(wire.text))
    const own = decoded.streams.find(({ name }) => name === stream)
    const found = await askRows(inner, { database: 'mydb', sql: `select * from ${schema}.${stream} limit 3` })
    const samples = isFine(found) ? rowsIn(found) : []
    return {
      status: 200,
      ...roomFor(limit),
      text: writeJson({
        schema,
        stream,
        kind: kinds[kindCode(own?.kind)] ?? '',
        state: isOn(memberOf(read(state.text), 'state')),
        definition: partOf(read(words.text), stream),
        samples,
        questions: own ? asJson(questionsOf(decoded, own, samples[0])) : [],
      }),
      ...(!isFine(found) && { more: `the sample events could not be read: ${found.text}` }),
    }
  },
)

const kindCode = (kind: string | undefined): string =>
  ({ input: '1', filter: '2', join: '3', entity: '4' })[kind ?? ''] ?? ''

const listTables = tool(
  'list_tables',
  ['read'],
  'reads',
  'Lists the databases of tables, or the tables of one, with how many records each has. describe_table tells more of one.',
  itemsOf({ database: identifier('whose tables are listed; the databases if absent').optional() }),
  async ({ database, limit }, inner) => {
    if (database === undefined) {
      const answer = await inner({ method: 'GET', path: '/db' })
      return { ...answer, ...roomFor(limit) }
    }
    const answer = await inner({ method: 'GET', path: at`/db/${database}/list/0` })
    if (!isFine(answer)) return answer
    const tables = members(read(answer.text), 'tables')
      .filter(({ issys }) => issys !== 1)
      .map(({ name, num_records, num_index }) => ({
        name: name ?? '',
        num_records: num_records ?? 0,
        num_indexes: num_index ?? 0,
      }))
    return { ...answer, ...roomFor(limit), text: writeJson({ database, tables, num_tables: tables.length }) }
  },
)

const describeTable = tool(
  'describe_table',
  ['read'],
  'reads',
  'Tells of one table its kind and key, its indexes, three sample records, and the questions that may be asked of it, each with a statement that works.',
  itemsOf({ database: identifier('the database'), table: identifier('its table') }),
  async ({ database, table, limit }, inner) => {
    const answer = await inner({ method: 'GET', path: at`/db/${database}/${table}` })
    if (!isFine(answer)) return answer
    const settings = read(answer.text)
    const found = await askRows(inner, { database, sql: `select * from ${table} limit 3` })
    const samples = isFine(found) ? rowsIn(found) : []
    return {
      ...answer,
      ...roomFor(limit),
      text: writeJson({
        ...tableInWords(isWire(settings) ? settings : {}),
        samples,
        questions: asJson(questionsOfTable(database, table, samples[0])),
      }),
      ...(!isFine(found) && { more: `the sample records could not be read: ${found.text}` }),
    }
  },
)

const tableKinds: Readonly<Record<string, string>> = {
  0: 'records of declared members',
  1: 'records of any members',
  3: 'an integer a record',
  4: 'an integer a record',
  5: 'a text a record',
}

/** The settings of a table, in words. */
function tableInWords({ database, table_name, table_type, key_type, version_type, indexes }: Wire): Wire {
  return {
    database: database ?? '',
    table: table_name ?? '',
    kind: tableKinds[String(table_type)] ?? '',
    key: key_type === 10 ? 'integer' : key_type === 3 ? 'several texts' : 'text',
    keeps_versions: version_type === 1,
    indexes: Array.isArray(indexes) ? indexes.filter(isWire).map(({ index_name }) => index_name ?? '') : [],
  }
}

const listGraphs = tool(
  'list_graphs',
  ['read'],
  'reads',
  'Lists the graphs. describe_graph tells the labels and relations of one.',
  itemsOf({}),
  async ({ limit }, inner) => ({ ...(await inner({ method: 'GET', path: '/graph/list' })), ...roomFor(limit) }),
)

const describeGraph = tool(
  'describe_graph',
  ['read'],
  'reads',
  'Tells of one graph its labels and relations, how many there are of each, and the questions that may be asked of it, each with a pattern that works.',
  itemsOf({ graph: identifier('the graph') }),
  async ({ graph, limit }, inner) => {
    const there = await inner({ method: 'GET', path: '/graph/list' })
    if (!isFine(there)) return there
    const names = memberOf(read(there.text), 'graphs')
    if (!Array.isArray(names) || !names.includes(graph)) return absent(graph, names)
    const labels = await rowsOf(inner, labelsIn(graph))
    if (!Array.isArray(labels)) return labels
    const relations = await rowsOf(inner, relationsIn(graph))
    if (!Array.isArray(relations)) return relations
    const kindsOfRelations = relations.flatMap((row) => relationIn(row) ?? [])
    return {
      status: 200,
      ...roomFor(limit),
      text: writeJson({
        graph,
        labels,
        relations,
        questions: asJson(questionsOfGraph(graph, kindsOfRelations)),
      }),
    }
  },
)

function absent(graph: string, names: Json | undefined): Told {
  const known =
    Array.isArray(names) && names.length > 0 ? `there are ${names.slice(0, 100).join(', ')}` : 'there are none'
  return { status: 404, text: JSON.stringify({ errcode: -3, error: [`no graph ${graph}; ${known}`] }) }
}

async function rowsOf(inner: Inner, sql: string): Promise<Sample[] | Told> {
  const answer = await askSql(inner, { sql })
  return isFine(answer) ? [...rowsIn(answer)] : answer
}

function relationIn({ subject_label, relation, object_label }: Sample): RelationKind | undefined {
  if (typeof subject_label !== 'string' || typeof relation !== 'string' || typeof object_label !== 'string')
    return undefined
  return { subject_label, relation, object_label }
}

export const describingTools = [
  ...[listSchemas, describeSchema, describeStream, listTables, describeTable],
  ...[listGraphs, describeGraph],
]
