/** How far an edit is, as its record says: that is all that the other processes know. */
import test from 'ava'
import { createEditProgress } from '../../../../activities/schemas/edit/progress.ts'
import type { SchemaState } from '../../../../infra/catalogue/catalogue.ts'
import { decodeSchema } from '../../../../sql/schema/decode.ts'

const filter = (name: string) => ({
  name,
  fqry: { name: '{"query":[{"key":"n","cmp_op":0,"val":1}],"qtype":1}', type: 1 },
  fatr: ['n'],
  ostm: name,
})
const wire = (more: boolean) =>
  JSON.stringify({
    schema: 'told',
    streams: [
      {
        name: 's',
        type: 1,
        swsz: 0,
        attr: [{ name: 'n', type: 9, ...(more && { stat: 'RSTAT' }) }],
        ...(more && { fltr: ['a', 'b'].map(filter), node: [{ sub: 'n' }] }),
      },
      ...(more ? ['a', 'b'] : []).map((name) => ({ name, type: 2, swsz: 0, attr: [{ name: 'n', type: 9 }] })),
    ],
  })
const [from, to] = [wire(false), wire(true)]
const off = new Set<string>()
const progressOf = createEditProgress({
  compiler: { decode: (body) => decodeSchema(JSON.parse(body)) },
  states: { offStreams: () => off },
})
const at = (state: SchemaState, record: object = {}, filled = 0) =>
  progressOf({ name: 'told', state, record: { from, to, id: 'x', begun_us: 5, ...record } }, filled)

test.afterEach(() => off.clear())

test.serial('a table, the graph and two copies are filled one after the other', (t) => {
  const total = 4
  const told = (state: string, done: number) => ({ state, done, total, since_us: 5 })
  t.deepEqual(at('editing'), told('building', 0))
  t.deepEqual(at('building', {}, 1), told('building', 1))
  t.deepEqual(at('filling'), told('filling', 1))
  t.deepEqual(at('filling', {}, 1), told('filling', 2))
  t.deepEqual(at('filling', { copies: { done: 0, upTo: [1, 2] } }), told('filling', 2))
  t.deepEqual(at('filling', { copies: { done: 1 } }), told('filling', 3))
  t.deepEqual(at('filling', { isFilled: true }), told('filling', 4))
})

test.serial('nothing is copied into a stream that is OFF', (t) => {
  off.add('a')
  t.is(at('filling')?.total, 3)
})

test.serial('the record of an earlier version has no time', (t) => {
  t.false('since_us' in (at('building', { begun_us: undefined }) ?? {}))
})

test.serial('where nothing is to be filled nothing is told', (t) => {
  t.is(at('editing', { to: from }), undefined)
  t.is(at('editing', { to: from, feedsStay: true }), undefined)
  t.is(at('filling', { to: from.replace('"swsz":0', '"swsz":60') }), undefined)
})
