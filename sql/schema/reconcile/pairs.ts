import { findEnd, isAmong } from './check.ts'

/** Selects of rows `_k0`, `_k1`: an event's `_pk` and `_seq`. */
export type Pairs = { readonly held: string; readonly there: string }

export const pairKeys = ['Int64', 'Int64']

const hour_us = 3_600_000_000

/**
 * The events of which a table has another number of rows than it should: hours in which number and checksum agree are
 * passed over, so that only the events of the others are kept in memory.
 */
export function findPairs({ held, there }: Pairs, wrong: string, among: string | undefined): string {
  const some = among === undefined ? '' : ` WHERE ${isAmong(['_k0', '_k1'], among)}`
  const rows = [
    `SELECT _k0, _k1, toInt64(1) AS _h, toInt64(0) AS _t FROM (${held})${some}`,
    `SELECT _k0, _k1, toInt64(0) AS _h, toInt64(1) AS _t FROM (${there})${some}`,
  ].join(' UNION ALL ')
  const hours = [
    `SELECT intDiv(_k0, ${hour_us}) AS _hour FROM (${rows}) GROUP BY _hour`,
    'HAVING sum(_h) != sum(_t) OR sum(sipHash64(_k0, _k1) * _h) != sum(sipHash64(_k0, _k1) * _t)',
  ].join(' ')
  return [
    `SELECT _k0, _k1, [sum(_h) - sum(_t)] AS _difference FROM (${rows})`,
    ...(among === undefined ? [`WHERE intDiv(_k0, ${hour_us}) GLOBAL IN (${hours})`] : []),
    `GROUP BY _k0, _k1 HAVING ${wrong}`,
    findEnd(),
  ].join(' ')
}
