import { setTimeout as sleep } from 'node:timers/promises'
import test from 'ava'
import { silentLogger } from '../../../infra/logger.ts'
import { createTemporal } from '../../../infra/orchestration/temporal.ts'
import { freePort } from '../../../scripts/processes/ports.js'
import { workflows } from '../../../workflows/index.ts'

async function open() {
  const address = `127.0.0.1:${await freePort()}`
  const temporal = createTemporal({ address, namespace: 'default', tls: false, workflows, logger: silentLogger() })
  void temporal.ask() // a call that is tried again and again
  await sleep(400)
  return temporal
}

/** The process does nothing else meanwhile, as under load: timers that are due wait, too. */
function keepBusy(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

// A retry whose connection is closed throws in a timer, which ends the process and, here, this whole file.
test('a process that stops while a call to a Temporal that is away is tried again ends in order', async (t) => {
  for (let round = 0; round < 5; round++) {
    const temporal = await open()
    await sleep(round * 60)
    await temporal.close()
  }
  await sleep(2_000)
  t.pass()
})

test('it does so when the retry is overdue, as the process was busy', async (t) => {
  for (const busy_ms of [20, 300, 1_500]) {
    const temporal = await open()
    await sleep(100)
    keepBusy(busy_ms)
    await temporal.close()
  }
  await sleep(2_000)
  t.pass()
})
