import { identifier, qualified } from '../../identifier.ts'
import type { SqlStatement } from '../../statement.ts'
import type { Condition } from '../ast.ts'
import { compileCondition, createParams, type Params } from './condition.ts'
import { eventPlaces, type StreamSource, windowCondition } from './source.ts'

/** Hashes below this are taken: the text of a UInt64. `of` is the attribute that is hashed; absent: the event's place. */
export type Sampled = { readonly below: string; readonly of?: string }

/** The events of a stream that a training takes. */
export type EventsTaken = {
  /** Events that came after this value of the clock are left out, so that reading ends while events arrive. */
  readonly lastSeq: number
  readonly where?: Condition
  readonly from_us?: number
  /** The first time that is not taken. */
  readonly to_us?: number
  readonly sampled?: Sampled
}

/** The same event has the same hash each time, and events beside each other have hashes that say nothing of each other. */
const hashOf = (attribute: string | undefined): string =>
  attribute === undefined ? 'sipHash64(_pk, _seq)' : `sipHash64(assumeNotNull(toString(${identifier(attribute)})))`

export function takenConditions(source: StreamSource, taken: EventsTaken, params: Params): string[] {
  const { lastSeq, where, from_us, to_us, sampled } = taken
  return [
    windowCondition(source),
    ...(from_us === undefined ? [] : [`_pk >= ${params.add(from_us, 'Int64')}`]),
    `_seq <= ${params.add(lastSeq, 'Int64')}`,
    ...(to_us === undefined ? [] : [`_pk < ${params.add(to_us, 'Int64')}`]),
    ...(where === undefined ? [] : [compileCondition(where, eventPlaces(source.stream, source.columns), params)]),
    ...(sampled === undefined ? [] : sampledConditions(sampled, params)),
  ]
}

const sampledConditions = ({ below, of }: Sampled, params: Params): string[] => [
  ...(of === undefined ? [] : [`isNotNull(${identifier(of)})`]),
  `${hashOf(of)} < ${params.add(below, 'UInt64')}`,
]

const from = (source: StreamSource, taken: EventsTaken, params: Params): string =>
  `FROM ${qualified(source.schema.name, source.stream.name)} WHERE ${takenConditions(source, taken, params).join(' AND ')}`

export function compileTakenCount(source: StreamSource, taken: EventsTaken): SqlStatement<{ count: string }> {
  const params = createParams()
  return { text: `SELECT toString(count()) AS count ${from(source, taken, params)}`, params: params.params }
}

/** One row, the place of the event that is the `count`th from the latest; no row where there are fewer. */
export function compilePlaceOfLatest(
  source: StreamSource,
  taken: EventsTaken,
  count: number,
): SqlStatement<{ pk: string; seq: string }> {
  const params = createParams()
  return {
    text: `SELECT toString(_pk) AS pk, toString(_seq) AS seq ${from(source, taken, params)} ORDER BY _pk DESC, _seq DESC LIMIT 1 OFFSET ${count - 1}`,
    params: params.params,
  }
}

/** The events from a place on: filters may bring one event into a stream on two ways, so that several may stand there. */
export function compileCountFrom(
  source: StreamSource,
  taken: EventsTaken,
  place: { readonly pk: string; readonly seq: string },
): SqlStatement<{ count: string }> {
  const params = createParams()
  const rows = from(source, taken, params)
  const [pk, seq] = [params.add(place.pk, 'Int64'), params.add(place.seq, 'Int64')]
  return {
    text: `SELECT toString(count()) AS count ${rows} AND _pk >= ${pk} AND (_pk > ${pk} OR _seq >= ${seq})`,
    params: params.params,
  }
}

/** One row, `below`: the hash behind the `count` least ones; no row where there are no more. */
export function compileSampleBound(
  source: StreamSource,
  taken: EventsTaken,
  count: number,
): SqlStatement<{ below: string }> {
  const params = createParams()
  return {
    text: `SELECT toString(_hash) AS below FROM (SELECT ${hashOf(undefined)} AS _hash ${from(source, taken, params)}) ORDER BY _hash LIMIT 1 OFFSET ${count}`,
    params: params.params,
  }
}

/** The hashes that a share of all are below; undefined for all. */
export const belowOfShare = (share: number): string | undefined =>
  share >= 1 ? undefined : String(BigInt(Math.max(1, Math.round(share * 2 ** 53))) << 11n)
