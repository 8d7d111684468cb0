/**
 * Questions that a stream answers, each with a statement that asks it: one of analysts' SQL, one of Weir's language, or a
 * pattern of the graph language. A client copies the statement and changes it, so each runs as it is.
 */
import { questionsOfGraph } from '../graph/questions.ts'
import { identifier } from '../identifier.ts'
import { literal } from '../literal.ts'
import type { Question, Sample } from '../question.ts'
import { attributeOf } from './columns.ts'
import { readableOfAll, viewColumns } from './ddl/aggregate.ts'
import { entitiesOf, entityMeasures } from './ddl/entities.ts'
import { groupTable, groupView, intervalView, schemaGraph, statesView } from './names.ts'
import type { Attribute, GroupBy, Schema, Stream } from './schema.ts'
import { sessionsOf } from './sessions.ts'
import { askedAtLengthOf, askedOf, type Measure, readableOf, shownStatesOf } from './statistics.ts'

/** Columns of one statement, so that it stays readable. */
const maxMeasures = 5

const from = (schema: Schema, name: string): string => `${plain(schema.name)}.${plain(name)}`

/** A name as people write it, in backticks only where it needs them. */
const plain = (name: string): string => (/^[A-Za-z]\w*$/.test(name) ? name : identifier(name))

const columns = (names: readonly string[]): string => names.map(plain).join(', ')

export function questionsOf(schema: Schema, stream: Stream, sample: Sample | undefined): Question[] {
  if (stream.kind === 'entity') return ofEntity(schema, stream, sample)
  return [
    ...ofEvents(schema, stream, sample),
    ...ofIntervals(schema, stream),
    ...ofGroups(schema, stream),
    ...ofTargets(schema, stream),
    ...ofGraph(schema, stream),
  ]
}

function ofEvents(schema: Schema, stream: Stream, sample: Sample | undefined): Question[] {
  const name = `${schema.name}.${stream.name}`
  const table = from(schema, stream.name)
  const condition = conditionOf(stream.attributes, sample)
  return [
    {
      asks: 'the latest events',
      sql: `SELECT * FROM ${table} ORDER BY _pk DESC LIMIT 10`,
      query: `select * from ${name} limit 10`,
    },
    { asks: 'how many events there are', sql: `SELECT count() FROM ${table}`, query: `select count(*) from ${name}` },
    {
      asks: 'how many events came in each hour',
      sql: `SELECT toStartOfHour(_time) AS hour, count() AS events FROM ${table} GROUP BY hour ORDER BY hour DESC LIMIT 24`,
    },
    ...(condition
      ? [
          {
            asks: `the latest events with this ${condition.name}`,
            sql: `SELECT * FROM ${table} WHERE ${condition.sql} ORDER BY _pk DESC LIMIT 10`,
            query: `select * from ${name} where ${condition.query} limit 10`,
          },
        ]
      : []),
  ]
}

type Condition = { readonly name: string; readonly sql: string; readonly query: string }

/** A condition that a sample satisfies. */
function conditionOf(
  attributes: readonly Pick<Attribute, 'name' | 'type'>[],
  sample: Sample = {},
): Condition | undefined {
  for (const { name } of attributes) {
    const value = sample[name]
    if (!/^[A-Za-z]\w*$/.test(name)) continue
    if (typeof value === 'number' || typeof value === 'bigint')
      return { name, sql: `${plain(name)} >= ${value}`, query: `${name} >= ${value}` }
    if (typeof value === 'string' && /^[\w -]{1,60}$/.test(value))
      return { name, sql: `${plain(name)} = ${literal(value, 'String')}`, query: `${name} = "${value}"` }
  }
  return undefined
}

const namesOf = (measures: readonly Measure[]): string => [...new Set(measures.map(({ result }) => result))].join(', ')

function ofIntervals(schema: Schema, stream: Stream): Question[] {
  const granularities = [...new Set(stream.attributes.flatMap((each) => (each.statistics ? [each.granularity] : [])))]
  return granularities.flatMap((granularity): Question[] => {
    const measures = stream.attributes.flatMap((input): Measure[] =>
      input.statistics && input.granularity === granularity
        ? [{ result: input.name, input, statistics: input.statistics }]
        : [],
    )
    const view = from(schema, intervalView(stream.name, granularity))
    const [states, shown] = [from(schema, statesView(stream.name, granularity)), measures.slice(0, maxMeasures)]
    return [
      {
        asks: `the statistics of ${namesOf(shown)} in the latest intervals of ${granularity} s`,
        sql: `SELECT interval_start, ${columns([...readableOfAll(shown).keys()])} FROM ${view} ORDER BY interval_start DESC LIMIT 60`,
      },
      ...measures.flatMap((measure): Question[] => {
        const rows = { measures, view, states }
        const hours = {
          ...{ ...rows, keys: 'toStartOfHour(interval_start) AS hour', by: ['hour'] },
          order: 'hour DESC LIMIT 24',
        }
        return [
          {
            asks: `the statistics of ${measure.result} by hour, merged`,
            sql: merged(measure, hours),
            query: `select aggr(${measure.result}) from ${schema.name}.${stream.name} rollup ${Math.max(1, Math.round(3600 / granularity))}`,
          },
          ...atLength('by hour', measure, hours),
          { asks: `the statistics of ${measure.result} over all time`, sql: merged(measure, rows) },
        ]
      }),
    ]
  })
}

function ofGroups(schema: Schema, stream: Stream): Question[] {
  const together = new Map<string, GroupBy[]>()
  for (const groupBy of stream.groupBys) {
    const table = groupTable(stream.name, groupBy.granularity, groupBy.pattern)
    together.set(table, [...(together.get(table) ?? []), groupBy])
  }
  return [...together.values()].flatMap((groupBys): Question[] => {
    const [first] = groupBys
    if (!first) return []
    const { pattern, granularity } = first
    const measures = groupBys.flatMap(({ input: name, statistics }): Measure[] => {
      const input = attributeOf(stream, name)
      return input ? [{ result: name, input, statistics }] : []
    })
    const view = from(schema, groupView(stream.name, granularity, pattern))
    const states = from(schema, statesView(stream.name, granularity, pattern))
    const [by, shown] = [columns(pattern), measures.slice(0, maxMeasures)]
    return [
      {
        asks: `the statistics of ${namesOf(shown)} by ${pattern.join(' and ')} in the latest intervals of ${granularity} s`,
        sql: `SELECT ${by}, interval_start, ${columns([...readableOfAll(shown).keys()])} FROM ${view} ORDER BY interval_start DESC LIMIT 10`,
      },
      ...measures.flatMap((measure): Question[] => {
        const rows = { measures, view, states, keys: by, by: pattern, order: `${by} LIMIT 100` }
        return [
          {
            asks: `the statistics of ${measure.result} by ${pattern.join(' and ')}, merged over time`,
            sql: merged(measure, rows),
            query: `select aggr(${measure.result}) from ${schema.name}.${stream.name} groupby ${pattern.join(':')} limit 100`,
          },
          ...atLength(`by ${pattern.join(' and ')}`, measure, rows),
        ]
      }),
    ]
  })
}

type Rows = {
  /** All measures of the views. */
  readonly measures: readonly Measure[]
  /** The view of values, and that of states. */
  readonly view: string
  readonly states: string
  /** The columns of the keys, and how they are selected. */
  readonly by?: readonly string[]
  readonly keys?: string
  readonly order?: string
}

/**
 * A statement that merges the statistics of a measure over the rows of its views: those that add up in a few words, or
 * `atLength` those that do not.
 */
function merged(measure: Measure, { measures, view, states, by = [], keys, order }: Rows, atLength = false): string {
  const hasStates = Object.keys(shownStatesOf(measure)).length > 0
  const there = viewColumns(measures, hasStates ? shownStatesOf : readableOf)
  const of = (suffix: string): string =>
    plain(there.find((each) => each.measure === measure && each.part === suffix)?.name ?? suffix)
  const long = atLength ? askedAtLengthOf(measure, of) : []
  const withs = long.flatMap((each) => each.withs)
  const results = atLength ? long.flatMap((each) => Object.entries(each.results)) : Object.entries(askedOf(measure, of))
  const selected = results.map(([name, value]) => `${value} AS ${by.includes(name) ? `${name}_of_all` : name}`)
  return [
    ...(withs.length > 0 ? [`WITH ${withs.join(', ')}`] : []),
    `SELECT ${[...(keys === undefined ? [] : [keys]), ...selected].join(', ')}`,
    `FROM ${hasStates ? states : view}`,
    ...(by.length === 0 ? [] : [`GROUP BY ${columns(by)}`]),
    ...(order === undefined ? [] : [`ORDER BY ${order}`]),
  ].join(' ')
}

/** The question about what does not add up, where there is such. */
function atLength(asks: string, measure: Measure, rows: Rows): Question[] {
  const results = askedAtLengthOf(measure, String).flatMap((each) => Object.keys(each.results))
  if (results.length === 0) return []
  return [{ asks: `${results.join(', ')} of ${measure.result} ${asks}`, sql: merged(measure, rows, true) }]
}

function ofEntity(schema: Schema, stream: Stream, sample: Sample | undefined): Question[] {
  const [name, table] = [`${schema.name}.${stream.name}`, from(schema, stream.name)]
  const keys = entitiesOf(schema, stream.name)[0]?.entity.keys ?? []
  const condition = conditionOf(keys, sample)
  const measures = entityMeasures(schema, stream.name)
  return [
    { asks: 'the rows, one a key', sql: `SELECT * FROM ${table} LIMIT 10`, query: `select * from ${name} limit 10` },
    { asks: 'how many keys there are', sql: `SELECT count() FROM ${table}`, query: `select count(*) from ${name}` },
    ...(condition
      ? [
          {
            asks: 'the row of one key',
            sql: `SELECT * FROM ${table} WHERE ${condition.sql.replace('>=', '=')}`,
            query: `select * from ${name} where ${condition.query.replace('>=', '=')}`,
          },
        ]
      : []),
    ...measures.slice(0, maxMeasures).map((measure): Question => {
      const shown = [...readableOfAll([measure]).keys()]
      const most =
        shown.find((each) => each.endsWith('_sum')) ?? shown.find((each) => each.endsWith('_unique')) ?? shown[0] ?? ''
      return {
        asks: `the keys with the most ${measure.result}`,
        sql: `SELECT ${columns([...keys.map((key) => key.name), ...shown])} FROM ${table} ORDER BY ${plain(most)} DESC LIMIT 10`,
      }
    }),
  ]
}

/** The streams into which the stream's filters, joins, patterns and entities go. */
function ofTargets(schema: Schema, stream: Stream): Question[] {
  const targets: (readonly [asks: string, target: string | undefined])[] = [
    ...[...stream.filters, ...stream.movingFilters].map(
      ({ name, target }) => [`the latest events that the filter ${name} has copied`, target] as const,
    ),
    ...sessionsOf(stream).map(
      ({ session, keys }) =>
        [
          `the sessions by ${keys.map(({ name }) => name).join(' and ')} that were closed last`,
          session.target,
        ] as const,
    ),
    ...stream.rules.map(({ name, kind, target }) => [`the latest rows of the ${kind} ${name}`, target] as const),
  ]
  const entities = [...new Set(stream.entities.map(({ target }) => target))]
  return [
    ...targets.flatMap(([asks, target]) =>
      target === undefined
        ? []
        : [
            {
              asks,
              sql: `SELECT * FROM ${from(schema, target)} ORDER BY _pk DESC LIMIT 10`,
              query: `select * from ${schema.name}.${target} limit 10`,
            },
          ],
    ),
    ...entities.map((target) => ({
      asks: `the statistics over all time by the keys of ${target}`,
      sql: `SELECT * FROM ${from(schema, target)} LIMIT 10`,
      query: `select * from ${schema.name}.${target} limit 10`,
    })),
  ]
}

function ofGraph(schema: Schema, { relations }: Stream): Question[] {
  const graph = schemaGraph(schema.name)
  const kinds = relations.map(({ relation, subjectLabel, objectLabel }) => ({
    subject_label: subjectLabel,
    relation,
    object_label: objectLabel,
  }))
  return relations.length === 0 ? [] : questionsOfGraph(graph, kinds)
}
