import { Refusal } from '../../base/refusal.ts'
import type { ClickHouse } from '../../infra/clickhouse/clickhouse.ts'
import { refuseEarlyBounds } from '../../sql/query/compared.ts'
import { createParams } from '../../sql/query/compile/condition.ts'
import {
  compileEntityCount,
  compileEntityKeys,
  compileEntitySampleBound,
  type EntitiesTaken,
  entitySource,
} from '../../sql/query/compile/entities.ts'
import { compileCount } from '../../sql/query/compile/rows.ts'
import type { StreamSource } from '../../sql/query/compile/source.ts'
import {
  belowOfShare,
  compileCountFrom,
  compilePlaceOfLatest,
  compileSampleBound,
  compileTakenCount,
  type EventsTaken,
} from '../../sql/query/compile/taken.ts'
import type { Condition } from '../../sql/query/index.ts'
import { withCaretOf } from '../../sql/query/placed-refusal.ts'
import { isStored } from '../../sql/schema/columns.ts'
import { compileRecordCount, compileRecordSampleBound } from '../../sql/table/select.ts'
import type { Table } from '../../sql/table/table.ts'
import { compileWhere } from '../../sql/table/where.ts'
import { readEntities } from '../stream-data/read-entities.ts'
import { type Place, readHistory } from '../stream-data/read-history.ts'
import { allRecords, readRecords } from '../stream-data/read-records.ts'
import type { Taking, TrainingRequest } from './decode/request.ts'
import { isOfEntities } from './sources.ts'

type Found = Omit<StreamSource, 'now_us'>

const at = (member: string): string => `training_details.${member}`

/** Refuses what the stream shows to be wrong about the rows that a training would take of it. */
export function refuseTakingOf(found: Found, { series }: Pick<TrainingRequest, 'series'>, taking: Taking): void {
  const { where, sample } = taking
  if (isOfEntities(found)) refuseTimesOfEntities(found, taking)
  checkWhere(where, (condition) => {
    refuseEarlyBounds(found.stream, condition)
    if (isOfEntities(found)) {
      const source = entitySource(found.schema, found.stream.name)
      if (source.keys.length > 0) compileEntityKeys(source, condition, 0)
    } else compileCount({ ...found, now_us: 0 }, condition)
  })
  if (series !== undefined && sample !== undefined) refuseSampleOfSeries(found, series.uid, sample)
}

/** A refusal of a condition tells its place. */
function checkWhere(where: Taking['where'], compile: (condition: Condition) => unknown): void {
  if (where === undefined) return
  try {
    compile(where.condition)
  } catch (error) {
    const placed = withCaretOf(where.text, error)
    throw placed instanceof Refusal ? new Refusal(`${at('where')}: ${placed.message}`) : placed
  }
}

/** Refuses what the table shows to be wrong about the records that a training would take of it. */
export function refuseTakingOfTable(
  table: Table,
  { series }: Pick<TrainingRequest, 'series'>,
  { where, sample }: Taking,
): void {
  checkWhere(where, (condition) => compileWhere(table, condition, createParams()))
  if (series !== undefined && sample !== undefined)
    throw new Refusal(
      `${at('sample')}: records that are left out would leave gaps in a series; where chooses whole ones`,
    )
}

function refuseTimesOfEntities({ schema, stream }: Found, { from_us, to_us, limit }: Taking): void {
  const of = `${schema.name}.${stream.name} is an entity stream, whose rows have no order in time`
  const problems = [
    ...(from_us === undefined ? [] : [`${at('from')}: ${of}; where compares its keys and values`]),
    ...(to_us === undefined ? [] : [`${at('to')}: ${of}; where compares its keys and values`]),
    ...(limit === undefined ? [] : [`${at('limit')}: ${of}, so that none are the latest; sample takes so many rows`]),
  ]
  if (problems.length > 0) throw new Refusal(problems)
}

/** Single events that are left out would make windows of values that do not follow each other. */
function refuseSampleOfSeries({ stream }: Found, uid: string | undefined, sample: NonNullable<Taking['sample']>): void {
  const whole = 'values that are left out would leave gaps in a series'
  const problem =
    uid === undefined
      ? `${whole}, and there is one series, as algo_param has no uid; limit takes the latest rows`
      : 'rows' in sample
        ? `${whole}: with lag it is a share of the series, such as 0.1; limit takes the latest rows`
        : stream.attributes.filter(isStored).some(({ name }) => name === uid)
          ? undefined
          : `takes whole series by the uid '${uid}', which is no attribute that ${stream.name} declares`
  if (problem !== undefined) throw new Refusal(`${at('sample')}: ${problem}`)
}

/** Lines of JSON straight from ClickHouse, and how many rows there are: of the source, and of those that are taken. */
export type TakenRows = { readonly lines: AsyncGenerator<Buffer>; readonly all: number; readonly taken: () => number }

export type TakenDeps = { readonly clickhouse: ClickHouse; readonly heard: () => void }

/** Of a stream the events that came no later than `lastSeq`, of an entity stream its rows as they are now. */
export async function openStream(
  deps: TakenDeps,
  found: Found,
  { series }: Pick<TrainingRequest, 'series'>,
  taking: Taking,
  lastSeq: number,
): Promise<TakenRows> {
  return isOfEntities(found)
    ? openEntities(deps, found, taking)
    : openEvents(deps, { ...found, now_us: Date.now() * 1000 }, series?.uid, taking, lastSeq)
}

/** Records of a table, as they are now. */
export async function openTable(
  { clickhouse, heard }: TakenDeps,
  table: Table,
  { where, sample }: Taking,
): Promise<TakenRows> {
  const count = counter(heard)
  const [all] = await clickhouse.rows<{ count: number }>(compileRecordCount(table, allRecords(table, undefined)))
  const asked = where === undefined ? {} : { where: where.condition }
  const below = await belowOf(sample, (rows) =>
    clickhouse.rows(compileRecordSampleBound(table, allRecords(table, asked.where), { ...asked, count: rows })),
  )
  const lines = readRecords(clickhouse, table, { ...asked, ...(below !== undefined && { below }) }, count.counted)
  return { lines, all: Number(all?.count ?? 0), taken: count.taken }
}

/** The hash below which rows are in the sample; undefined for all of them. */
async function belowOf(
  sample: Taking['sample'],
  boundOf: (rows: number) => Promise<readonly { readonly below: string }[]>,
): Promise<string | undefined> {
  if (sample === undefined) return undefined
  if ('share' in sample) return belowOfShare(sample.share)
  const [bound] = await boundOf(sample.rows)
  return bound?.below
}

function counter(heard: () => void) {
  let count = 0
  const counted = (more: number): void => {
    heard()
    count += more
  }
  return { counted, taken: () => count }
}

async function openEvents(
  { clickhouse, heard }: TakenDeps,
  source: StreamSource,
  uid: string | undefined,
  { where, from_us, to_us, limit, sample }: Taking,
  lastSeq: number,
): Promise<TakenRows> {
  const [all] = await clickhouse.rows(compileTakenCount(source, { lastSeq }))
  const asked: EventsTaken = {
    lastSeq,
    ...(where && { where: where.condition }),
    ...(from_us !== undefined && { from_us }),
    ...(to_us !== undefined && { to_us }),
  }
  const below = await belowOf(sample, (rows) => clickhouse.rows(compileSampleBound(source, asked, rows)))
  const taken: EventsTaken =
    below === undefined ? asked : { ...asked, sampled: { below, ...(uid !== undefined && { of: uid }) } }
  const begin = limit === undefined ? undefined : await beginOfLatest(clickhouse, source, taken, limit)
  const count = counter(heard)
  return {
    lines: readHistory(clickhouse, source, taken, count.counted, begin),
    all: Number(all?.count ?? 0),
    taken: count.taken,
  }
}

/** The place behind which the latest events are, so many; undefined where there are no more. */
async function beginOfLatest(
  clickhouse: ClickHouse,
  source: StreamSource,
  taken: EventsTaken,
  limit: number,
): Promise<Place | undefined> {
  const [place] = await clickhouse.rows(compilePlaceOfLatest(source, taken, limit))
  if (place === undefined) return undefined
  const [from] = await clickhouse.rows(compileCountFrom(source, taken, place))
  return { ...place, seen: Number(from?.count ?? limit) - limit }
}

async function openEntities(
  { clickhouse, heard }: TakenDeps,
  found: Found,
  { where, sample }: Taking,
): Promise<TakenRows> {
  const source = entitySource(found.schema, found.stream.name)
  const count = counter(heard)
  const at_us = Date.now() * 1000
  const read = (taken: EntitiesTaken) => readEntities(clickhouse, found, count.counted, taken)
  // No definition fills the stream: it has no table.
  if (source.keys.length === 0) return { lines: read({}), all: 0, taken: count.taken }
  const [all] = await clickhouse.rows<{ count: number }>(compileEntityCount(source, undefined, at_us))
  const asked = where === undefined ? {} : { where: where.condition }
  const below = await belowOf(sample, (rows) =>
    clickhouse.rows(compileEntitySampleBound(source, { ...asked, at_us, count: rows })),
  )
  return {
    lines: read({ ...asked, ...(below !== undefined && { below }) }),
    all: Number(all?.count ?? 0),
    taken: count.taken,
  }
}
