/** Weir and the Kafka of others are killed amid their messages: each message is an event once, and none is missing. */
import { setTimeout as sleep } from 'node:timers/promises'
import test from 'ava'
import { brokerOfRun, startTestKafka, withKafka } from '../../support/parts/kafka.ts'
import { killServices, type ServiceProcess, spawnService } from '../../support/process.ts'
import { isTaken, randomFor, rounds } from '../../support/random/seed.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'
import { madeTopic } from './topic.ts'

test.after.always(killServices)

const messages = rounds(50_000, 20_000)
const kills = rounds(6, 1)
const attr = [{ name: 'n', type: 'LONG' }]
/** A message that is no event. */
const isBad = (n: number): boolean => n % 1000 === 7

// Both logs are killed by other tests in each gate, which takes one of the two here.
for (const own of (['embedded', 'Kafka'] as const).filter((_, index) => isTaken(index, 2)))
  withKafka.serial(
    `kill -9 of Weir and of the broker amid ${messages} messages, the log ${own}: each is there once`,
    async (t) => {
      t.timeout(900_000)
      const random = randomFor(t)
      const others = await startTestKafka(t)
      const made = await madeTopic(others.brokers, 3)
      t.teardown(made.close)
      const settings = {
        DATA_DIR: temporaryFolder(),
        ...(own === 'Kafka' && { ...(await brokerOfRun()).settings, KAFKA_PARTITIONS: '1' }),
      }
      let service: ServiceProcess = await spawnService(settings)
      const ask = (path: string) => service.client.ok(service.client.get(path))
      await service.client.ok(
        service.client.post('/stream', { schema: 's', streams: [{ name: 'st', type: 1, swsz: 0, attr }] }),
      )
      const kafka = { brokers: [others.brokers], topic: made.topic }
      await service.client.ok(service.client.send('PUT', '/source/all', { kafka, into: 's.st' }))
      let sent = 0
      const sending = (async () => {
        while (sent < messages) {
          const values = Array.from({ length: 500 }, (_, at) => sent + at)
          await made.send(values.map((n) => ({ value: isBad(n) ? `no number ${n}` : `{"n":${n}}`, partition: n % 3 })))
          sent += values.length
          await sleep(40)
        }
      })()
      for (let kill = 0; kill < kills; kill++) {
        await sleep(random.whole(100, 1_500))
        await service.end('SIGKILL')
        service = await spawnService(settings)
      }
      await sending
      await others.kill()
      await until('the source says that its broker is away', async () => {
        const { state, reason } = await ask('/source/all')
        return state === 'failing' && typeof reason === 'string'
      })
      await service.end('SIGKILL')
      service = await spawnService(settings)
      await others.restart()
      const bad = messages / 1000
      await until(
        'all messages came, and the broker answers',
        async () => {
          const { state, lag, accepted, rejected } = await ask('/source/all')
          return state === 'running' && lag === 0 && accepted + rejected >= messages
        },
        180_000,
      )
      const found = await ask('/source/all')
      t.like(found, { state: 'running', accepted: messages - bad, rejected: bad, lag: 0, notes: [] })
      t.is(found.lost, undefined)
      const sql = 'SELECT count() AS c, uniqExact(n) AS u, sum(n) AS s FROM s.st'
      const sums = await service.client.ok(service.client.post('/sql', { sql, format: 'JSONEachRow' }))
      let sum = 0
      for (let n = 0; n < messages; n++) if (!isBad(n)) sum += n
      t.deepEqual([Number(sums.c), Number(sums.u), Number(sums.s)], [messages - bad, messages - bad, sum])
    },
  )
