/** Predictions from the values before, over Kafka: the tasks of several partitions have the last values of each series. */
import { brokerOfRun, withKafka } from '../../support/parts/kafka.ts'
import { startService } from '../../support/service.ts'
import { createTrainer } from './trainer.ts'

const exact = { lag: 2, time: 'day', uid: 'device', C: 1e8, eps: 1e-12, bias: -1 }
const devices = Array.from({ length: 12 }, (_, i) => `d${i}`)

/** Of each device x[t] = 0.8 x[t-1] - 0.2 x[t-2], from a start of its own. */
const next = (older: number, latest: number): number => 0.8 * latest - 0.2 * older
const csv = [
  'day,device,volt',
  ...devices.flatMap((device, i) => {
    const values = [10 + i, 20 - 3 * i]
    while (values.length < 12) values.push(next(values.at(-2) ?? 0, values.at(-1) ?? 0))
    return values.map((volt, day) => `2024-01-${String(day + 1).padStart(2, '0')},${device},${volt}`)
  }),
  '',
].join('\n')

withKafka('each event over Kafka is predicted from the two values of its device before it', async (t) => {
  t.timeout(300_000)
  const { settings } = await brokerOfRun()
  const service = await startService({ ...settings, KAFKA_PARTITIONS: '3' })
  t.teardown(service.close)
  const trainer = createTrainer(service.client)
  await service.client.register({ schema: 'shop', streams: [{ name: 'none', type: 1, swsz: 0, attr: [] }] })
  await trainer.upload('pair', csv)
  const state = await trainer.train('pair', {
    algo_type: 'PROJ_LIN',
    details: { target_idx: 2 },
    more: {
      attr_list: ['day', 'device', 'volt'].map((name, position) => ({
        name,
        position,
        ...(position === 2 && { type: 'DOUBLE' }),
      })),
      scale: 0,
      algo_param: exact,
    },
  })
  t.is(state, 25)
  const attr = [
    { name: 'device', type: 'STRING' },
    { name: 'round', type: 'LONG' },
    { name: 'volt', type: 'DOUBLE' },
  ]
  const expected = {
    name: 'expected',
    type: 11,
    opnm: 'PRED',
    algo: 'PROJ_LIN',
    model: 'pair',
    lag: 2,
    uid: 'device',
    iatr: ['volt'],
  }
  const watched = { name: 'watched', type: 1, swsz: 0, attr, catr: [expected] }
  await service.client.ok(service.client.send('PUT', '/stream/shop', { schema: 'shop', streams: [watched] }))

  const voltOf = (device: number, round: number): number => ((device + 1) * (round + 3) * 7) % 31
  const post = (round: number) =>
    service.client.lines(
      'shop.watched',
      devices.map((device, i) => ({ device, round, volt: voltOf(i, round) })),
    )
  for (let round = 0; round < 7; round++) await post(round)

  const found = await service.client.documents('select * from shop.watched')
  t.is(found.length, devices.length * 7)
  for (const { device, round, expected } of found) {
    const i = devices.indexOf(device)
    const wanted = round < 2 ? undefined : next(voltOf(i, round - 2), voltOf(i, round - 1))
    const isRight = wanted === undefined ? expected === undefined : Math.abs(expected - wanted) < 1e-4
    t.true(isRight, `${device}, round ${round}: ${expected} in place of ${wanted}`)
  }
})
