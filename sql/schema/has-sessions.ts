import type { Stream } from './schema.ts'

/** Whether events of the stream are of sessions, by a group-by or an entity. */
export const hasSessions = ({ groupBys, entities }: Pick<Stream, 'groupBys' | 'entities'>): boolean =>
  [...groupBys, ...entities].some(({ session }) => session !== undefined)
