import { Refusal } from '../../base/refusal.ts'
import type { Schema, Stream } from '../../sql/schema/schema.ts'

const members: readonly (readonly [member: string, what: string, isThere: (stream: Stream) => boolean])[] = [
  ['type', 'joins and patterns are', ({ kind }) => kind === 'join'],
  ['refr', 'references are', ({ references }) => references.length > 0],
  ['join', 'joins are', ({ rules }) => rules.some(({ kind }) => kind === 'join')],
  ['cepq', 'patterns are', ({ rules }) => rules.some(({ kind }) => kind === 'pattern')],
  ['fltr', 'conditions over a moving time are', ({ movingFilters }) => movingFilters.length > 0],
  [
    'fltr',
    'computed attributes of filters are',
    ({ filters }) => filters.some(({ computed = [] }) => computed.length > 0),
  ],
  [
    'catr',
    'computed attributes of derived streams are',
    ({ kind, computed }) => kind !== 'input' && computed.length > 0,
  ],
  ['catr', 'predictions from last values (lag) are', ({ computed }) => computed.some(({ lag }) => lag !== undefined)],
]

/** Throws a `Refusal` of a schema that needs more than is made of it yet. */
export function refuseRules({ streams }: Schema): void {
  const problems = streams.flatMap((stream, index) =>
    members.flatMap(([member, what, isThere]) =>
      isThere(stream) ? [`streams[${index}].${member}: ${what} not supported yet`] : [],
    ),
  )
  if (problems.length > 0) throw new Refusal(problems)
}
