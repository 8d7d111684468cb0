import { setTimeout as sleep } from 'node:timers/promises'
import test from 'ava'
import { type ServiceProcess, spawnService } from '../../support/process.ts'
import { createRandom } from '../../support/random/random.ts'
import { isTaken, randomFor } from '../../support/random/seed.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { isOnePass, load, loadBodies, schema } from './crash-load.ts'

const DATA_DIR = temporaryFolder()
let service: ServiceProcess = await spawnService({ DATA_DIR, LOG_LEVEL: 'info' })
test.after.always(() => service.end('SIGKILL'))

test.serial(
  'after kill -9 under load rules have made the rows of one pass over the answered events, once each',
  async (t) => {
    await service.client.register(schema)
    let isStopped = false
    const random = randomFor(t)
    const loading = Promise.all(
      ['x', 'y', 'z', 'many', 'more'].map((key) =>
        (key.length > 1 ? loadBodies : load)(
          () => service.client,
          key,
          createRandom(random.whole(1, 1e9)),
          () => isStopped,
        ),
      ),
    )
    for (const wait_ms of [500, 300, 2_500, 700, 400].filter((_, index) => isTaken(index, 2))) {
      await sleep(wait_ms)
      await service.end('SIGKILL')
      service = await spawnService({ DATA_DIR, LOG_LEVEL: 'info' })
    }
    await sleep(300)
    isStopped = true
    await isOnePass(t, service.client, await loading)
  },
)
