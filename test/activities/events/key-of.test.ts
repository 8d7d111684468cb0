import test from 'ava'
import { compileKey } from '../../../activities/events/key-of.ts'
import type { Attribute, Stream } from '../../../sql/schema/schema.ts'

const streamOf = (keys: readonly string[]): Stream => ({
  name: 'st',
  kind: 'input',
  window: 0,
  inputs: [],
  attributes: ['id', 'prod.sku', 'other'].map(
    (name): Attribute => ({
      ...{ name, type: name === 'prod.sku' ? 'LONG' : 'STRING' },
      ...{ granularity: 60, primaryKey: keys.includes(name) },
    }),
  ),
  computed: [],
  groupBys: [],
  entities: [],
  relations: [],
  filters: [],
  notices: [],
  nodes: [],
  movingFilters: [],
  references: [],
  rules: [],
})

test('the values of the attributes declared with pk 1 are the key, also inside of objects', (t) => {
  const keyOf = compileKey(streamOf(['id', 'prod.sku']))
  t.is(keyOf?.({ id: 'a', prod: { sku: 7 } }, 1), 'a:7')
  t.is(keyOf?.({ id: 'a', prod: null, other: 'x' }, 1), 'a')
})

test('an event that lacks them has a key of its own; a stream that declares none has no keys', (t) => {
  t.is(compileKey(streamOf(['id']))?.({ id: null, other: 'x' }, 42), '42')
  t.is(compileKey(streamOf([])), undefined)
})
