import { freshFilters } from './ddl/edit/schema-diff.ts'
import {
  encodeComputed,
  encodeCondition,
  encodeFilter,
  encodeNode,
  encodeReference,
  encodeRelation,
  encodeRule,
  encodeSession,
} from './encode.ts'
import type { Attribute, Schema, Statistics, Stream } from './schema.ts'
import { sessionsOf } from './sessions.ts'
import { shownStatistics } from './statistics.ts'
import { windowOfInput, windowResult } from './windows.ts'

/** A part of a schema; `meaning` is its definition, as text in a client's words. */
type Part = {
  readonly what: string
  readonly name: string
  readonly stream: string
  readonly meaning: string
  /** Whether a new part is filled from the events that its stream still has. */
  readonly isFilled: boolean
}

export type NamedPart = Pick<Part, 'what' | 'name' | 'stream'> & { readonly detail?: string }
export type ChangedPart = Pick<Part, 'what' | 'name'> & { readonly from: string; readonly to: string }

/** The parts by which two schemas differ; `filled` ones are filled from the events of their streams. */
export type Comparison = {
  readonly added: readonly NamedPart[]
  readonly changed: readonly ChangedPart[]
  readonly dropped: readonly NamedPart[]
  readonly filled: readonly NamedPart[]
}

const asText = (value: unknown): string =>
  JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? String(each) : each)) ?? ''

const limitsOf = ({ limits }: Attribute): string => (limits ? asText(limits) : 'none')
const everySeconds = (statistics: Statistics, granularity: number) =>
  `${shownStatistics(statistics)} every ${granularity} s`

function partsOf(stream: Stream): Part[] {
  const { name: at, kind } = stream
  const part = (what: string, name: string, meaning: string, isFilled = false): Part => ({
    what,
    name,
    stream: at,
    meaning,
    isFilled,
  })
  const later = new Set([
    ...stream.computed.map(({ name }) => name),
    ...stream.references.flatMap(({ results }) => results),
  ])
  const own = kind === 'entity' ? [] : stream.attributes
  return [
    ...(kind === 'entity' ? [] : [part('swsz', at, String(stream.window))]),
    ...(kind === 'input' ? [part('strict', at, stream.strict ? '1' : '0')] : []),
    ...own.map((each) =>
      part('attribute', `${at}.${each.name}`, each.type, each.type !== 'OBJECT' && !later.has(each.name)),
    ),
    ...own.map((each) => part('limits', `${at}.${each.name}`, limitsOf(each))),
    ...stream.computed.map(({ name, ...each }) =>
      part('computed attribute', `${at}.${name}`, asText(encodeComputed(each))),
    ),
    ...own.flatMap(({ name, statistics, granularity }) =>
      statistics ? [part('statistic', `${at}.${name}`, everySeconds(statistics, granularity), true)] : [],
    ),
    ...stream.groupBys.map(({ pattern, input, statistics, granularity }) =>
      part(
        'group-by',
        `aggr(${input}) from ${at} groupby ${pattern.join(':')}`,
        everySeconds(statistics, granularity),
        true,
      ),
    ),
    ...stream.entities.flatMap(({ target, results, inputs, keys, statistics }) =>
      results.map((result, index) => {
        const key = keys.map(({ inputs: from }) => from.join(':')).join(':')
        return part(
          'entity',
          `${target}.${result}`,
          `${shownStatistics(statistics)} of ${at}.${inputs[index]} by ${key}`,
          true,
        )
      }),
    ),
    ...stream.entities.flatMap(({ target, results, inputs, keys, statistics, windows = [] }) =>
      results.flatMap((result, index) =>
        windows.map((length) => {
          const input = inputs[index] ?? ''
          const key = keys.map(({ inputs: from }) => from.join(':')).join(':')
          return part(
            'window',
            `${target}.${windowResult(result, length)}`,
            `${shownStatistics(statistics)} of ${at}.${input} by ${key} in hops of ${windowOfInput(length, stream, input).hop} s`,
            true,
          )
        }),
      ),
    ),
    ...stream.relations.map(({ subject, relation, object, subjectLabel, objectLabel, ...rest }) =>
      part(
        'relation',
        `(${subjectLabel}:${subject})-[${relation}]->(${objectLabel}:${object}) of ${at}`,
        asText(encodeRelation(rest)),
        true,
      ),
    ),
    ...stream.filters.map(({ name, target, ...rest }) =>
      part('filter', `${at}.${name} into ${target}`, asText(encodeFilter(rest))),
    ),
    ...stream.notices.map(({ name, notification, condition }) =>
      part('notification', `${notification} by filter ${at}.${name}`, asText({ fqry: encodeCondition(condition) })),
    ),
    ...stream.nodes.map(({ label, subject, ...rest }) =>
      part('node', `(${label}:${subject}) of ${at}`, asText(encodeNode(rest)), true),
    ),
    ...stream.references.map(({ name, ...rest }) => part('reference', `${at}.${name}`, asText(encodeReference(rest)))),
    ...stream.movingFilters.map(({ name, target, notification, ...rest }) =>
      part(
        'moving filter',
        `${at}.${name}`,
        asText({
          ...encodeFilter(rest),
          ...(target !== undefined && { ostm: target }),
          ...(notification !== undefined && { notf: notification }),
        }),
      ),
    ),
    ...sessionsOf(stream).map(({ session, keys, values }) =>
      part(
        'session',
        `${values.map(({ name, input }) => name ?? input).join(', ')} of ${at} by ${keys.map(({ name }) => name).join(':')}`,
        asText({
          ...encodeSession(session),
          ...{ keys, values: values.map(({ input, statistics }) => `${shownStatistics(statistics)} of ${input}`) },
        }),
      ),
    ),
    ...stream.rules.map(({ name, ...rest }) => part(rest.kind, `${at}.${name}`, asText(encodeRule(rest)))),
  ]
}

const keyOf = ({ what, name, stream }: NamedPart): string => asText([what, name, stream])
/** Parts that every stream or attribute has: only a change of one is told. */
const isAlwaysThere = ({ what }: NamedPart): boolean => what === 'swsz' || what === 'strict' || what === 'limits'
const isRefilled = new Set(['statistic', 'group-by', 'entity', 'window'])
const definitions = new Set(['computed attribute', 'relation', 'filter', 'notification', 'node'])
/** Parts that look beyond one event, and remember nothing of the events before they were there. */
const withMemory = new Set(['reference', 'moving filter', 'join', 'pattern', 'session'])
const begins = 'begins with the events that come after the edit'

const shown = ({ what, name, stream, meaning }: Part): NamedPart => ({
  what,
  name,
  stream,
  ...(!definitions.has(what) && !withMemory.has(what) && { detail: meaning }),
})
const shownAdded = (part: Part): NamedPart =>
  withMemory.has(part.what) ? { ...shown(part), detail: begins } : shown(part)
const wholeStream = ({ name, kind }: Stream): NamedPart => ({ what: 'stream', name, stream: name, detail: kind })
/** A stream that is new, and what is derived of its events; its attributes are as its sender has just written them. */
const newStream = (stream: Stream): readonly NamedPart[] => [
  wholeStream(stream),
  ...partsOf(stream)
    .filter((part) => !isAlwaysThere(part) && part.what !== 'attribute' && part.what !== 'computed attribute')
    .map(shown),
]

export function compareSchemas(from: Schema, to: Schema): Comparison {
  const there = new Map(from.streams.map((stream) => [stream.name, stream]))
  const left = new Set(to.streams.map(({ name }) => name))
  const pairs = to.streams.flatMap((after) => {
    const before = there.get(after.name)
    return before ? [{ before: partsOf(before), after: partsOf(after) }] : []
  })
  const added: NamedPart[] = to.streams.filter(({ name }) => !there.has(name)).flatMap(newStream)
  const dropped: NamedPart[] = from.streams.filter(({ name }) => !left.has(name)).map(wholeStream)
  const changed: ChangedPart[] = []
  const filled: NamedPart[] = []
  for (const { before, after } of pairs) {
    const known = new Map(before.map((part) => [keyOf(part), part]))
    const kept = new Set(after.map(keyOf))
    dropped.push(...before.filter((part) => !isAlwaysThere(part) && !kept.has(keyOf(part))).map(shown))
    for (const part of after) {
      const old = known.get(keyOf(part))
      if (old === undefined && isAlwaysThere(part)) continue
      if (old === undefined) {
        added.push(shownAdded(part))
        if (part.isFilled) filled.push(shown(part))
      } else if (old.meaning !== part.meaning) {
        changed.push({ what: part.what, name: part.name, from: old.meaning, to: part.meaning })
        if (isRefilled.has(part.what)) filled.push(shown(part))
      }
    }
  }
  for (const { stream, filter } of freshFilters({ from, to })) {
    filled.push({ what: 'filter', name: `${stream.name}.${filter.name} into ${filter.target}`, stream: stream.name })
  }
  return { added, changed, dropped, filled }
}
