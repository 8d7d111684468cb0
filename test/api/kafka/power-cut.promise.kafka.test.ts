/** A machine with ClickHouse that loses its power while the brokers go on: they have the offsets that it committed. */
import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import test from 'ava'
import { canTrace } from '../../infra/log/embedded/synced.ts'
import { brokerOfRun, withKafka } from '../../support/parts/kafka.ts'
import { anyLoss, owedSync, startTraced } from '../../support/power-cut.ts'
import { killServices, spawnService } from '../../support/process.ts'
import { randomFor, rounds } from '../../support/random/seed.ts'
import { checkWhole, createIds, schema, startLoad } from '../../support/requests/load.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

test.after.always(killServices)

const title = 'over Kafka a power cut amid events loses and doubles none: what was committed is on the disk'

if (canTrace()) {
  withKafka.serial(title, async (t) => {
    t.timeout(1_000_000)
    const random = randomFor(t)
    const { settings } = await brokerOfRun()
    const folder = realpathSync(temporaryFolder())
    const data = join(folder, 'data')
    const ids = createIds()
    const acknowledged: number[] = []
    for (let round = 1; round <= rounds(3, 2); round++) {
      const { client, cut } = await startTraced(data, join(folder, `trace ${round}`), settings)
      if (round === 1) await client.register(schema)
      const load = startLoad(client, 'load.st', ids)
      const before = load.acknowledged.length
      while (load.acknowledged.length < before + 170) await sleep(5)
      await sleep(random.whole(0, 1_500))
      const lost = await cut(round === 1 ? () => 'gone' : anyLoss(random))
      t.log(`${lost.synced} files synced, ${lost.unsynced.length} not`)
      t.deepEqual(owedSync(lost), [], 'files that must have been synced, and were not')
      await load.stop()
      acknowledged.push(...load.acknowledged)

      const service = await spawnService({ DATA_DIR: data, ...settings })
      await checkWhole(t, service.client, acknowledged, 'at least')
      await service.end('SIGKILL')
      await sleep(1_000) // a child that tsx started may have the lock for a moment longer
    }
  })
} else test.skip(`${title} (no strace here, or it may not trace)`, () => {})
