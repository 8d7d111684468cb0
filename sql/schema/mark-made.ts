import { hasSessions } from './has-sessions.ts'
import type { RuleCondition, Schema, Stream } from './schema.ts'

type Names = ReadonlySet<string>

const movingStreams = (condition: RuleCondition): readonly string[] => {
  if (condition.kind !== 'compare') return condition.terms.flatMap(movingStreams)
  return [condition.left, condition.right].flatMap((side) => (side.kind === 'moving' ? side.stream : []))
}

/** The streams whose moving values a stream's rules compare. */
export const movingSources = ({ rules, movingFilters }: Pick<Stream, 'rules' | 'movingFilters'>): readonly string[] => [
  ...new Set([
    ...movingFilters.flatMap(({ condition }) => movingStreams(condition)),
    ...rules.flatMap(({ filter, closing }) => [filter, closing].flatMap((each) => (each ? movingStreams(each) : []))),
  ]),
]

/** The streams that a stream's rules look at beside itself: their events are remembered, or their rows of entities. */
const observedBy = (stream: Stream, streams: readonly Stream[]): readonly string[] => [
  ...stream.references.flatMap(({ source }) => {
    if (source.kind === 'table') return []
    if (source.kind === 'stream') return [source.stream]
    return streams
      .filter(({ entities }) => entities.some(({ target }) => target === source.stream))
      .map(({ name }) => name)
  }),
  ...stream.rules.flatMap(({ partner }) => partner ?? []),
  ...movingSources(stream),
]

/** A filter's stream whose events SQL alone does not make. */
const needsMaking = (stream: Stream): boolean =>
  stream.references.length > 0 ||
  stream.rules.length > 0 ||
  stream.movingFilters.length > 0 ||
  stream.computed.length > 0 ||
  hasSessions(stream)

const targetsByRules = ({ filters, movingFilters }: Stream): readonly string[] => [
  ...filters.filter(({ computed }) => computed !== undefined).map(({ target }) => target),
  ...movingFilters.flatMap(({ target }) => target ?? []),
]

/** Streams that feed one of the set by filters belong to it as well, since its events are made from theirs. */
function withAncestors(streams: readonly Stream[], first: Iterable<string>): Names {
  const sources = new Map<string, string[]>(streams.map(({ name }) => [name, []]))
  for (const { name, filters, movingFilters } of streams) {
    for (const { target } of [...filters, ...movingFilters]) if (target !== undefined) sources.get(target)?.push(name)
  }
  const found = new Set(first)
  for (const name of found) for (const source of sources.get(name) ?? []) found.add(source)
  return found
}

/** Marks the streams whose events the rules make. */
export function markMade(streams: readonly Stream[]): Schema['streams'] {
  const made = withAncestors(streams, [
    ...streams.filter(({ kind }) => kind === 'join').map(({ name }) => name),
    ...streams.filter(needsMaking).map(({ name }) => name),
    ...streams.flatMap(targetsByRules),
    ...streams.flatMap((stream) => observedBy(stream, streams)),
  ])
  return streams.map((stream) =>
    (stream.kind === 'join' || stream.kind === 'filter') && made.has(stream.name)
      ? { ...stream, isMade: true }
      : stream,
  )
}
