import { setTimeout as sleep } from 'node:timers/promises'
import test from 'ava'
import { type ServiceProcess, spawnService } from '../../support/process.ts'
import { isTaken, randomFor } from '../../support/random/seed.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'
import { beats } from './absence-cases.ts'

const DATA_DIR = temporaryFolder()
/** So many are acknowledged before each kill, however slow the machine is. */
const amid = 30
let service: ServiceProcess = await spawnService({ DATA_DIR, LOG_LEVEL: 'info' })
test.after.always(() => service.end('SIGKILL'))

test.serial('after kill -9 between events and their absence each device that fell silent is told once', async (t) => {
  const random = randomFor(t)
  await service.client.register({ schema: 'silence', streams: beats({ after: 1 }) })
  let [made, isStopped] = [0, false]
  const acknowledged = new Set<string>()
  async function load(): Promise<void> {
    while (!isStopped) {
      const devices = Array.from({ length: random.pick([1, 1, 30]) }, () => `d${++made}`)
      for (;;) {
        const lines = devices.map((device) => ({ device, _id: device }))
        const answer = await service.client.lines('silence.beat', lines).catch(() => undefined)
        if (answer !== undefined) break
        await sleep(20)
      }
      for (const device of devices) acknowledged.add(device)
      await sleep(random.whole(1, 40))
    }
  }
  const loading = Promise.all([load(), load(), load()])
  for (const wait_ms of [1_500, 600, 2_500, 1_200].filter((_, index) => isTaken(index, 2))) {
    const before = acknowledged.size
    await sleep(wait_ms)
    while (acknowledged.size < before + amid) await sleep(5)
    await service.end('SIGKILL')
    service = await spawnService({ DATA_DIR, LOG_LEVEL: 'info' })
  }
  isStopped = true
  await loading
  const rows = async (): Promise<string[]> =>
    (await service.client.documents('select * from silence.silent')).map(({ device }) => String(device))
  await until('a row of each', async () => (await rows()).length >= acknowledged.size, 20_000)
  await sleep(1_500)
  t.deepEqual((await rows()).sort(), [...acknowledged].sort())
  t.true(acknowledged.size > 50, `${acknowledged.size}`)
})
