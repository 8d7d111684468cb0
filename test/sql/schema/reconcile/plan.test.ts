import { readFileSync } from 'node:fs'
import test from 'ava'
import { onCluster } from '../../../../sql/cluster.ts'
import { decodeSchema } from '../../../../sql/schema/decode.ts'
import { asideTable, changeAside, createAside, dropAside, keepFound } from '../../../../sql/schema/reconcile/aside.ts'
import type { Facts } from '../../../../sql/schema/reconcile/check.ts'
import { planReconcile } from '../../../../sql/schema/reconcile/plan.ts'

const shop = decodeSchema(
  JSON.parse(readFileSync(new URL('../../../../examples/shop/schema.json', import.meta.url), 'utf8')),
)

const facts: Facts = {
  now_us: 1_760_000_000_000_000,
  changed_us: 0,
  switched_us: new Map(),
  rewindowed: new Set(),
  erased: new Map(),
}

const tablesOf = (more: Partial<Facts>, redelivered: boolean): string[] =>
  planReconcile({ ...shop, ...(redelivered && { redelivered: true }) }, { ...facts, ...more }).map(({ table }) => table)

const events = ['visits', 'expensive_visits']
const derived = [
  'visits__60',
  'visits__300',
  'visits__300__country__page',
  'visits__300__country',
  'visits__60__page',
  'visitor_profile__keys',
  'page_profile__keys',
  'expensive_visits__300',
]
const graph = ['shop_graph_rel (VIEWED)', 'shop_graph__properties (VIEWED)']

test('events that are there twice are looked for, whatever the log', (t) => {
  const all = [...events, 'expensive_visits (filtered)', ...derived, ...graph]
  t.deepEqual(tablesOf({}, true), all)
  t.deepEqual(tablesOf({}, false), all)
})

test('an event that comes by two filters is not there twice', (t) => {
  const twoFilters = shop.streams.map((stream) => ({
    ...stream,
    filters: stream.filters.flatMap((filter) => [filter, { ...filter, name: `${filter.name}_too` }]),
  }))
  const tables = planReconcile({ ...shop, streams: twoFilters }, facts).map(({ table }) => table)
  t.deepEqual(tables.slice(0, 2), ['visits', 'expensive_visits (filtered)'])
})

test('copies are not compared while their stream is OFF, or where its window was changed', (t) => {
  const off = new Map([['expensive_visits', Number.POSITIVE_INFINITY]])
  t.deepEqual(tablesOf({ switched_us: off }, false), [...events, ...derived, ...graph])
  t.deepEqual(tablesOf({ rewindowed: new Set(['expensive_visits']) }, false), [...events, ...derived, ...graph])
})

test('an entity that was OFF and whose events may be gone says nothing', (t) => {
  const more = { switched_us: new Map([['page_profile', 1]]), rewindowed: new Set(['visits']) }
  t.false(tablesOf(more, false).includes('page_profile__keys'))
  t.true(tablesOf(more, false).includes('visitor_profile__keys'))
})

test('every statement has its form on a cluster', (t) => {
  const at = asideTable('1_a', 'c0')
  const statements = planReconcile({ ...shop, redelivered: true }, facts).flatMap((check) => [
    ...keepFound(check, check.find(), at),
    ...keepFound(check, check.find(at), at),
    ...check.repair(at, asideTable('1_a', 'c0_aside')),
  ])
  for (const statement of [createAside('shop', '1_a'), ...statements, ...changeAside(at, at, []), dropAside('1_a')]) {
    t.notThrows(() => onCluster(statement, 'all'), statement)
  }
})
