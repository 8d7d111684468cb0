import { schemaGraph } from '../../sql/schema/names.ts'

export const placeKinds = ['schema', 'db', 'graph', 'bucket', 'saved'] as const
export type PlaceKind = (typeof placeKinds)[number]

/** A place that a key may be bound to, as a request for a key writes it. */
export type Place = `${PlaceKind}:${string}`

const graphOf = schemaGraph('')

/** A schema has its graph with it. */
export const covers = (on: ReadonlySet<Place>, place: Place): boolean =>
  on.has(place) ||
  (place.startsWith('graph:') &&
    place.endsWith(graphOf) &&
    on.has(`schema:${place.slice('graph:'.length, -graphOf.length)}`))

/** The names of the places of a kind, those of the graphs that come with schemas among them. */
export function namesOn(on: ReadonlySet<Place>, kind: PlaceKind): string[] {
  const of = (wanted: PlaceKind): string[] =>
    [...on].flatMap((place) => (place.startsWith(`${wanted}:`) ? [place.slice(wanted.length + 1)] : []))
  return kind === 'graph' ? [...of('graph'), ...of('schema').map(schemaGraph)] : of(kind)
}
