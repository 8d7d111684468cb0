/**
 * Nodes within a distance of each other, as if they were related. Both sides are cut in bands of latitude as high as the
 * radius, and only neighbouring bands are joined: no cross product of all nodes.
 */
import { PlacedRefusal } from '../../../query/placed-refusal.ts'
import { quoted } from '../../../schema/check/name.ts'
import type { NodePattern } from '../../ast.ts'
import type { Places, QueryContext } from '../context.ts'
import { amountOf } from '../values/cell.ts'
import type { NodeRows, NodeSet, Wanted } from './nodes.ts'
import { type Step, sideOf } from './plan.ts'

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
  const placesOf = (node: NodePattern | undefined): Places | undefined =>
    node?.label === undefined ? undefined : places.get(node.label)
  const objectPlaces = placesOf(pattern.nodes[objectAt])
  if (objectPlaces === undefined) {
    const label = pattern.nodes[objectAt]?.label
    throw new PlacedRefusal(
      at,
      label === undefined
        ? '#RADIUS_OF needs the label of its object: (Label:*)'
        : `${quoted(label)} has no geo index; make one by: create geoindex ${graph}.${label} name = latitude.longitude`,
    )
  }
  const height = Math.max(metres / metresPerDegree, 1e-4)
  const side = (index: number, { latitude, longitude }: Places): string => {
    const rows = nodesAt(index, [latitude, longitude], reached.get(index))
    const amount = (property: string): string => `assumeNotNull(${amountOf(rows.property(property, 'q'))})`
    const isThere = (property: string): string => `isNotNull(${amountOf(rows.property(property, 'q'))})`
    const band = `toInt64(floor(degrees(asin(sin(radians(lat)))) / ${params.add(height, 'Float64')}))`
    return `SELECT q.label AS label, q.name AS name, ${amount(latitude)} AS lat, ${amount(longitude)} AS lon, ${band} AS band FROM (${rows.sql}) AS q WHERE ${isThere(latitude)} AND ${isThere(longitude)}`
  }
  const subjects = side(subjectAt, placesOf(pattern.nodes[subjectAt]) ?? objectPlaces)
  const objects = side(objectAt, objectPlaces)
  const distance = distanceSql('a.lat', 'a.lon', 'b.lat', 'b.lon')
  return [
    `SELECT a.label AS sl, a.name AS s, ${params.add(relation ?? 'RADIUS_OF', 'String')} AS r, b.label AS ol, b.name AS o,`,
    `CAST(map('distance', toString(${distance})), 'Map(LowCardinality(String), String)') AS p,`,
    "toInt64(0) AS at, toInt64(0) AS seq, '' AS source",
    `FROM (SELECT label, name, lat, lon, arrayJoin([band - 1, band, band + 1]) AS near_band FROM (${subjects})) AS a`,
    `INNER JOIN (${objects}) AS b ON b.band = a.near_band`,
    `WHERE (a.label, a.name) != (b.label, b.name) AND ${distance} <= ${params.add(metres, 'Float64')}`,
  ].join(' ')
}
