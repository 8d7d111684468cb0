import { literal } from '../../literal.ts'
import { commented, deliveryComments } from './comments.ts'

/**
 * How a feed takes each event once from a log that may deliver it again, as Kafka's does.
 *
 * A delivered row carries `_lane`, the partition and the way by which it came, and `_position`, which grows in a lane.
 * A target keeps the greatest position that it took of each lane in the very part that an insert makes, so the two are
 * there together or not at all; a projection keeps their maximum at hand. A feed passes over rows that are not above it, so
 * whatever a crash or a failing view left half-done, a repeat brings to each target what it lacks and no more.
 */

/** Columns of a Null table, and of the events that it feeds. */
export const deliveryColumns = ['_lane UInt64', '_position Int64']
export const deliveryNames = ['_lane', '_position']
/** The same of a table that analysts read. */
export const shownDeliveryColumns = [
  `_lane UInt64 ${commented(deliveryComments._lane)}`,
  `_position Int64 ${commented(deliveryComments._position)}`,
]

/** The column of an aggregate table: the greatest position by lane. */
export const appliedColumn = '_applied SimpleAggregateFunction(maxMap, Map(UInt64, Int64))'
export const appliedProjection = 'PROJECTION _watermark (SELECT maxMap(_applied))'
export const appliedSettings = "deduplicate_merge_projection_mode = 'rebuild'"

/** The lane within a feed: two feeds into one target do not share watermarks. */
export const laneOf = (feed: string, row = ''): string => `sipHash64(${literal(feed, 'String')}, ${row}_lane)`

/** The positions that rows add to `_applied`, grouped or each for itself. */
export const appliedBy = (feed: string, row = ''): string =>
  `maxMap(map(${laneOf(feed, row)}, ${row}_position)) AS _applied`

/** The rows of `from` that `target` has not taken: `watermarks` gives its positions, `lane` names the row's own. */
export const unseen = (from: string, target: string, lane: string, watermarks = 'maxMap(_applied)'): string =>
  `(SELECT * FROM ${from} WHERE _position > (SELECT ${watermarks} FROM ${target})[${lane}])`

/** Parts of before have no projection until ClickHouse has made it; till then they are read whole. */
export const addProjection = (alter: string, projection: string): string[] => [
  `${alter} ADD ${projection.replace('PROJECTION', 'PROJECTION IF NOT EXISTS')}`,
  `${alter} MATERIALIZE PROJECTION _watermark SETTINGS mutations_sync = 0`,
]
