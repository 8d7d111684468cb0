import type { Attribute, Schema, Stream } from '../../schema.ts'

/**
 * A schema whose rows carry the columns that either of two schemas asks for: it says how events are written and which columns
 * the Null tables have, no more.
 */
export const bothSchemas = (from: Schema, to: Schema): Schema => ({
  ...from,
  streams: [
    ...from.streams.map((stream) => {
      const after = to.streams.find(({ name }) => name === stream.name)
      return after ? bothStreams(stream, after) : stream
    }),
    ...to.streams.filter(({ name }) => from.streams.every((stream) => stream.name !== name)),
  ],
})

const bothStreams = (before: Stream, after: Stream): Stream => ({
  ...before,
  attributes: [
    ...before.attributes.map((attribute) => withMoments(attribute, after)),
    ...after.attributes
      .filter(({ name }) => before.attributes.every((attribute) => attribute.name !== name))
      // Events are refused by the edited schema only once that stands.
      .map(({ limits: _, ...attribute }) => attribute),
  ],
  groupBys: [...before.groupBys, ...after.groupBys],
  entities: [...before.entities, ...after.entities],
  filters: [...before.filters, ...after.filters],
  notices: [...before.notices, ...after.notices],
})

/** Rows carry a pivot where one of the two keeps moments. */
function withMoments(attribute: Attribute, { attributes }: Stream): Attribute {
  const other = attributes.find(({ name }) => name === attribute.name)
  return other?.statistics?.kinds.includes('RSTAT') ? { ...attribute, statistics: { kinds: ['RSTAT'] } } : attribute
}
