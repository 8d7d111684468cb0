import { setTimeout as after } from 'node:timers/promises'
import test from 'ava'
import { silentLogger } from '../../../infra/logger.ts'
import { createTemporal } from '../../../infra/orchestration/temporal.ts'
import { workflows } from '../../../workflows/index.ts'
import { freePort } from '../../support/free-port.ts'

test('a process that stops while a call to a Temporal that is away is tried again ends in order', async (t) => {
  const address = `127.0.0.1:${await freePort()}`
  for (let round = 0; round < 5; round++) {
    const temporal = createTemporal({
      address,
      namespace: 'default',
      tls: false,
      workflows,
      logger: silentLogger(),
    })
    await temporal.ask() // which gives up waiting while the call goes on
    await after(round * 60)
    await temporal.close()
  }
  // A timer that was left behind would throw by now, which no test could catch.
  await after(2_000)
  t.pass()
})
