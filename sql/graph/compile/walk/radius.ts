/**
 * Nodes within a distance of each other, as if they were related. Both sides are cut in bands of latitude as high as the
 * radius, and only neighbouring bands are joined: no cross product of all nodes.
 */

import { quoted } from '../../../../base/quoted.ts'
import { PlacedRefusal } from '../../../query/placed-refusal.ts'
import type { NodePattern } from '../../ast.ts'
import type { Places, QueryContext } from '../context.ts'
import { amountOf } from '../values/cell.ts'
import type { NodeSet } from './nodes.ts'
import { type Step, sideOf } from './plan.ts'
import type { NodeRows, Wanted } from './properties.ts'

/** Metres, as GEO_DISTANCE has it. */
const earthRadius = 6_371_000
const metresPerDegree = (earthRadius * Math.PI) / 180

/** Haversine, over degrees that may be NULL. */
export const distanceSql = (lat1: string, lon1: string, lat2: string, lon2: string): string =>
  [
    `arrayMap(h -> 2 * ${earthRadius} * asin(sqrt(if(h > 1, 1., h))),`,
    ` [pow(sin(radians(${lat2} - ${lat1}) / 2), 2)`,
    ` + cos(radians(${lat1})) * cos(radians(${lat2})) * pow(sin(radians(${lon2} - ${lon1}) / 2), 2)])[1]`,
  ].join('')

/** Where nodes have their places, and of which labels these are; without labels all of them have them there. */
type Placed = Places & { readonly labels?: readonly string[] }

/** Each takes ClickHouse some milliseconds to read in a statement. */
const maxPlaces = 20

type NodesAt = (index: number, wanted: Wanted, within?: NodeSet) => NodeRows

export function radiusRelations(
  { graph, places, params, query: { pattern } }: QueryContext,
  step: Step,
  reached: ReadonlyMap<number, NodeSet>,
  nodesAt: NodesAt,
): string {
  const { call, at, relation } = step.link.edge
  const metres = call?.kind === 'radius' ? call.metres : 0
  const objectAt = sideOf(step, step.near) === 'object' ? step.near : step.far
  const subjectAt = objectAt === step.near ? step.far : step.near
  const placesOf = (node: NodePattern | undefined): readonly Placed[] => {
    if (node?.label === undefined) return placesByLabels(places)
    const own = places.get(node.label)
    return own ? [own] : []
  }
  const noPlaces = (node: NodePattern | undefined): PlacedRefusal => {
    const what = node?.label === undefined ? `${graph} has no geo index` : `${quoted(node.label)} has no geo index`
    const label = node?.label ?? 'Label'
    return new PlacedRefusal(at, `${what}; make one by: create geoindex ${graph}.${label} name = latitude.longitude`)
  }
  const [subject, object] = [pattern.nodes[subjectAt], pattern.nodes[objectAt]]
  const objectPlaces = placesOf(object)
  if (objectPlaces.length === 0) throw noPlaces(object)
  if (objectPlaces.length > maxPlaces) {
    const problem = `the labels of ${graph} have their places in more than ${maxPlaces} pairs of properties`
    throw new PlacedRefusal(at, `${problem}; give #RADIUS_OF the label of its object: (Label:*)`)
  }
  // A subject whose label has no index has its place where the objects have theirs.
  const own = subject?.label === undefined ? undefined : placesOf(subject)
  if (own?.length === 0 && object?.label === undefined) throw noPlaces(subject)
  const subjectPlaces = own === undefined || own.length === 0 ? objectPlaces : own
  const height = Math.max(metres / metresPerDegree, 1e-4)
  const side = (index: number, placed: readonly Placed[]): string => {
    const wanted = new Set(placed.flatMap(({ latitude, longitude }) => [latitude, longitude]))
    const rows = nodesAt(index, [...wanted], reached.get(index))
    const amount = (degree: keyof Places): string =>
      placed.reduceRight((otherwise, { labels, ...names }) => {
        const value = amountOf(rows.property(names[degree], 'q'))
        if (labels === undefined) return value
        return `if(q.label IN (${labels.map((label) => params.add(label, 'String')).join(', ')}), ${value}, ${otherwise})`
      }, 'NULL')
    const [latitude, longitude] = [amount('latitude'), amount('longitude')]
    const band = `toInt64(floor(degrees(asin(sin(radians(lat)))) / ${params.add(height, 'Float64')}))`
    return `SELECT q.label AS label, q.name AS name, assumeNotNull(${latitude}) AS lat, assumeNotNull(${longitude}) AS lon, ${band} AS band FROM (${rows.sql}) AS q WHERE isNotNull(${latitude}) AND isNotNull(${longitude})`
  }
  const subjects = side(subjectAt, subjectPlaces)
  const objects = side(objectAt, objectPlaces)
  const distance = distanceSql('a.lat', 'a.lon', 'b.lat', 'b.lon')
  return [
    `SELECT a.label AS sl, a.name AS s, ${params.add(relation ?? 'RADIUS_OF', 'String')} AS r, b.label AS ol, b.name AS o,`,
    `map('distance', toString(${distance})) AS p,`,
    "toInt64(0) AS at, toInt64(0) AS seq, '' AS source",
    `FROM (SELECT label, name, lat, lon, arrayJoin([band - 1, band, band + 1]) AS near_band FROM (${subjects})) AS a`,
    `INNER JOIN (${objects}) AS b ON b.band = a.near_band`,
    `WHERE (a.label, a.name) != (b.label, b.name) AND ${distance} <= ${params.add(metres, 'Float64')}`,
  ].join(' ')
}

/** The places of all labels, each pair of properties once. */
function placesByLabels(places: QueryContext['places']): readonly Placed[] {
  const placed = new Map<string, Places & { readonly labels: string[] }>()
  for (const [label, names] of places) {
    const key = JSON.stringify([names.latitude, names.longitude])
    const known = placed.get(key)
    if (known) known.labels.push(label)
    else placed.set(key, { ...names, labels: [label] })
  }
  return [...placed.values()]
}
