/** Rules with memory where the log is Kafka: events take their turns in tasks, which commit what they make together. */
import { brokerOfRun, withKafka } from '../../support/parts/kafka.ts'
import type { Client } from '../../support/requests/client.ts'
import { startService } from '../../support/service.ts'
import { at, attr, createSchemas, joined, passing, type Sent, same, shown, stream, where } from './acceptance.ts'

const database = 'turnsbase'
const car = attr('car', 5)
const v = attr('v', 11, { stat: 3, gran: 1 })

/** Both sides of a join, each with the values of the other. */
const side = (name: string, type: number, rstm: string, ostm: string) => ({
  ...{ name, type, rstm, ostm, iatr: ['car', 'v'], ratr: ['car', 'v'], jqry: same('car') },
})
const sides = (name: string, [first, second]: readonly [number, number]) => {
  const [one, other, rows] = [`${name}1`, `${name}2`, `${name}r`]
  return [
    stream(one, [car, v], { join: [side(name, first, other, rows)] }),
    stream(other, [car, v], { join: [side(name, second, one, rows)] }),
    joined(rows, [one, other]),
  ]
}

/** A rise of one car, twice in a row. */
const rising = (name: string, seq: number) => ({
  ...{ name, type: 1, iatr: ['car', 'v'], rstm: name, ratr: ['v'], ostm: `${name}r` },
  jqry: { cond: ['car', 'v'], args: ['car', 'v'], cmp: ['EQ', 'LT'], seq },
  cond: [{ name: 'NUMT', val: 2 }],
})
const run = (name: string, seq: number) => [
  stream(name, [car, v], { cepq: [rising(name, seq)] }),
  joined(`${name}r`, [name]),
]

const refer = (name: string, rstm: string, ratr: string[], more: object = {}) => ({
  ...{ name, iatr: [name], rstm, ratr, jqry: same('car') },
  ...more,
})

const entity = {
  ...{ name: 'e', opid: 3, ratr: ['speed'], iatr: ['v'], rstm: 'cars' },
  pkatr: [{ name: 'car', type: 5, iatr: ['car'] }],
}

const streams = [
  ...sides('free', [1, 1]),
  ...sides('last', [2, 4]),
  ...sides('fits', [3, 5]),
  ...sides('all', [6, 6]),
  ...run('some', 0),
  ...run('next', 1),
  ...run('each', 2),
  stream('sale', [car, v], {
    catr: [{ name: 'total', type: 11, opnm: 'FOLD', iatr: ['$total + $v'], key: ['car'], start: 0 }],
    enty: [entity],
    refr: [
      refer('own', 'sale', ['v']),
      refer('made', 'freer', ['v']),
      refer('mean', 'cars', ['speed.avg']),
      refer('kind', `${database}.T`, ['kind'], { jqry: { cond: ['_pk'], args: ['car'] } }),
    ],
  }),
  { name: 'cars', type: 4, swsz: 0, inpt: ['sale'], attr: [car, attr('speed', 11, { stat: 3 })] },
  stream('move', [car, v], {
    fltr: [
      {
        ...{ name: 'f', fqry: passing([where('v', 'GT', 'avg(move.v, m_5, more_10)')], 3), fatr: ['car', 'v'] },
        ostm: 'fast',
      },
    ],
  }),
  { name: 'fast', type: 2, swsz: 0, inpt: ['move'], attr: [] },
]

withKafka('rules over Kafka make the rows of one pass, forget what is erased, and follow edits', async (t) => {
  t.timeout(700_000)
  const { settings } = await brokerOfRun()
  const { client, close } = await startService(settings)
  t.teardown(close)
  await client.ok(client.post(`/db/${database}/table`, { table_name: 'T', table_type: 1, key_type: 1, key_sz: 24 }))
  await client.ok(client.post(`/db/${database}/T/doc`, { _pk: 'a', doc: { kind: 'bus' } }))
  const registered = await createSchemas(client, 'turns').register(streams)
  const { schema } = registered
  const send = (sent: readonly Sent[]) => createSent(client, schema, sent)
  const rows = async (name: string, ...members: string[]) =>
    shown((await client.documents(`select * from ${schema}.${name}`)).reverse(), ...members)
  const one = (to: string, at_s: number, of: string, value: number): Sent => [to, at_s, { car: of, v: value }]

  await send([
    one('free1', 0, 'a', 70.1),
    one('free2', 1, 'a', 10.2),
    one('free2', 2, 'a', 11.1),
    one('free1', 3, 'b', 5),
    one('free1', 4, 'a', 71.1),
    one('free1', 5, 'a', 71.3),
    one('last1', 0, 'a', 1),
    one('last1', 1, 'a', 2),
    one('last2', 2, 'a', 7),
    one('last1', 3, 'b', 3),
    one('last2', 4, 'a', 8),
    one('fits1', 0, 'a', 1),
    one('fits1', 1, 'b', 9),
    one('fits2', 2, 'a', 4),
    one('fits2', 3, 'c', 4),
    one('all1', 0, 'a', 1),
    one('all2', 1, 'a', 4),
    one('all1', 2, 'b', 2),
    one('all1', 3, 'a', 3),
    one('all2', 4, 'a', 5),
  ])
  t.deepEqual(await rows('freer', 'car', 'v', '_j1.v'), ['a 10.2 70.1', 'a 71.1 11.1'], 'the oldest free one')
  t.deepEqual(await rows('lastr', 'car', 'v', '_j1.v'), ['a 7 2'], 'the very latest, of whatever key')
  t.deepEqual(await rows('fitsr', 'car', 'v', '_j1.v'), ['a 4 1'], 'the latest that satisfies')
  t.deepEqual(await rows('allr', 'car', 'v', '_j1.v'), ['a 4 1', 'a 3 4', 'a 5 1', 'a 5 3'], 'every pair')

  const runs: [string, number][] = [['a', 1], ['b', 9], ['a', 2], ['b', 8], ['a', 3], ['a', 5], ['a', 6]] // biome-ignore format: a list
  for (const name of ['some', 'next', 'each']) await send(runs.map(([of, value], n) => one(name, n, of, value)))
  t.deepEqual(await rows('somer', 'car', 'v', '_j1.v'), ['a 3 2', 'a 5 3', 'a 6 5'])
  t.deepEqual(await rows('nextr', 'car', 'v', '_j1.v'), ['a 6 5'], 'immediately before in the whole stream')
  t.deepEqual(await rows('eachr', 'car', 'v', '_j1.v'), ['a 3 2', 'a 5 3', 'a 6 5'])

  await send([one('sale', 10, 'a', 10), one('sale', 11, 'a', 20), one('sale', 12, 'b', 5)])
  t.deepEqual(await rows('sale', 'v', 'own', 'made', 'mean', 'kind', 'total'), [
    '10 - 71.1 - bus 10',
    '20 10 71.1 10 bus 30',
    '5 - - - - 5',
  ])
  for (const [at_s, value] of [[0, 10], [60, 10], [120, 10], [180, 11.5], [240, 10.5]] as const) await send([one('move', at_s, 'a', value)]) // biome-ignore format: a list
  t.deepEqual(await rows('fast', 'v'), ['11.5'], 'more than the moving average')

  t.is(
    (await client.post(`/stream/${schema}/sale`, { car: 'a', v: 'much' })).status,
    400,
    'a bad event is told at once',
  )
  const { streams: infos } = await client.ok(client.get(`/stream/${schema}/info`))
  t.true(infos.find(({ name }: { name: string }) => name === 'free1').rule_state.bytes > 0)

  t.is((await client.ok(client.query(`delete from ${schema}.free1 where v = 71.3`))).retval, 1)
  t.is((await client.ok(client.query(`delete from ${schema}.sale where v = 20`))).retval, 1)
  t.is((await client.ok(client.query(`delete from ${schema}.all1 where v = 1`))).retval, 1)
  await send([one('free2', 20, 'a', 12), one('free2', 21, 'b', 6), one('sale', 22, 'a', 30), one('all2', 23, 'a', 6)])
  t.deepEqual(
    await rows('freer', 'car', 'v', '_j1.v'),
    ['a 10.2 70.1', 'a 71.1 11.1', 'b 6 5'],
    'an erased one is not met',
  )
  t.deepEqual((await rows('sale', 'v', 'own', 'total')).at(-1), '30 10 40', 'nor found, nor carried on')
  t.deepEqual((await rows('allr', 'v', '_j1.v')).slice(4), ['6 3'], 'nor in a pair')

  await client.ok(client.send('PUT', `/stream/${schema}/freer/state`, { state: 0 }))
  await send([one('free1', 30, 'c', 1), one('free2', 31, 'c', 2)])
  await client.ok(client.send('PUT', `/stream/${schema}/freer/state`, { state: 1 }))
  await send([one('free1', 32, 'd', 1), one('free2', 33, 'd', 2), one('free1', 34, 'e', 1)])
  t.deepEqual((await rows('freer', 'car', 'v')).slice(3), ['d 2'], 'no row comes into a stream that is OFF')

  const [some, ...others] = run('some', 0)
  const changed = { ...some, cepq: [{ ...rising('some', 0), cond: [{ name: 'NUMT', val: 1 }] }] }
  const edited = streams.map((each) => (each.name === 'some' ? changed : each))
  t.is(others.length, 1)
  await client.ok(client.send('PUT', '/stream', { schema, streams: edited }))
  await send([one('some', 50, 'a', 50), one('some', 51, 'a', 60)])
  t.deepEqual((await rows('somer', 'car', 'v', '_j1.v')).slice(3), ['a 60 50'], 'a rule that is changed begins anew')

  await client.ok(client.send('DELETE', `/stream/${schema}`))
  await client.register({ schema, streams: sides('free', [1, 1]) })
  await send([one('free2', 70, 'a', 1)])
  t.deepEqual(await rows('freer', 'car'), [], 'a schema that comes again remembers nothing')
})

async function createSent(client: Client, schema: string, sent: readonly Sent[]): Promise<void> {
  for (const [to, at_s, event] of sent) await client.event(`${schema}.${to}`, { _pk: at(at_s), ...event })
}
