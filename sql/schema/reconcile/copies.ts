import { identifier, qualified } from '../../identifier.ts'
import { attributeOf, pivotedAttributes, storedAttributes } from '../columns.ts'
import { selectMatches } from '../ddl/filters.ts'
import { deliveryNames } from '../ddl/watermark.ts'
import { viewFilters } from '../made.ts'
import { feedView, inputTable, pivotColumn } from '../names.ts'
import type { Filter, Schema, Stream } from '../schema.ts'
import { allOf, asNew, atLeast, type Check, comparedSince, type Facts, isAmong, isComplete, latestOf } from './check.ts'
import { findPairs, pairKeys } from './pairs.ts'

type Copy = { readonly source: Stream; readonly filter: Filter; readonly number: number }

/**
 * Finds events that a filter should have copied into `target` and did not. Filters are compared from when the schema was
 * last changed, and from the last event on that was erased from the target: events that an older one copied stay as they
 * are, and so do events that it left out. Copies that the rules make are not compared.
 */
export function copiesCheck(schema: Schema, target: Stream, facts: Facts): Check | undefined {
  const copies = schema.streams.flatMap((source) =>
    viewFilters(schema, source).flatMap((each): Copy[] =>
      each.filter.target === target.name ? [{ source, ...each }] : [],
    ),
  )
  const erasedSeq = facts.erased.get(target.name)?.seq
  const from_us =
    latestOf(
      facts.changed_us,
      facts.switched_us.get(target.name),
      erasedSeq === undefined ? undefined : erasedSeq + 1,
    ) ?? 0
  if (copies.length === 0 || !Number.isFinite(from_us) || !isComplete(target, facts)) return undefined
  const table = qualified(schema.name, target.name)
  const streams = [...copies.map(({ source }) => source), target]
  const span = [
    ...atLeast('_pk', latestOf(...streams.map((each) => comparedSince(each, facts)))),
    ...atLeast('_seq', from_us),
  ]

  const matching = ({ source, filter, number }: Copy, condition: string): string =>
    selectMatches(schema, source, filter, {
      from: rowsOf(schema, source, condition),
      feed: feedView(inputTable(filter.target), source.name, number),
    }).text
  const pairs = {
    held: `SELECT _pk AS _k0, _seq AS _k1 FROM ${table} WHERE ${allOf(span)}`,
    there: copies
      .map((copy) => `SELECT _pk AS _k0, _seq AS _k1 FROM (${matching(copy, allOf(span))})`)
      .join(' UNION ALL '),
  }
  return {
    stream: target.name,
    table: `${target.name} (filtered)`,
    reads: streams.map(({ name }) => name),
    bringsEvents: true,
    keys: pairKeys,
    count: `SELECT count() AS checked FROM (${pairs.there})`,
    find: (among) => findPairs(pairs, 'sum(_h) = 0', among),
    repair: (touched) =>
      copies.map((copy) => {
        const columns = columnsOf(schema, target, copy).join(', ')
        const rows = matching(copy, isAmong(['_pk', '_seq'], touched))
        return `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM (${rows}) ${asNew}`
      }),
  }
}

/** Events of a stream with the columns of its Null table; a copy keeps no pivot. */
function rowsOf(schema: Schema, source: Stream, condition: string): string {
  const pivots = pivotedAttributes(schema, source).map((name) => `0. AS ${identifier(pivotColumn(name))}`)
  return `(SELECT ${['*', ...pivots].join(', ')} FROM ${qualified(schema.name, source.name)} WHERE ${condition})`
}

function columnsOf(schema: Schema, target: Stream, { source, filter }: Copy): string[] {
  const copied = storedAttributes(target).filter(
    ({ name }) => filter.attributes.includes(name) && attributeOf(source, name),
  )
  return [
    '_pk',
    '_seq',
    '_rest',
    ...copied.map(({ name }) => identifier(name)),
    ...(schema.redelivered ? deliveryNames : []),
  ]
}
