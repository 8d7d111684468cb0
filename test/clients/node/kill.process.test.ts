/** A service that dies while a program sends: the program goes on, and each event is there once. */
import { setTimeout as sleep } from 'node:timers/promises'
import test from 'ava'
import { connect } from '../../../clients/node/src/index.ts'
import { freePort } from '../../../scripts/processes/ports.js'
import { killServices, spawnService } from '../../support/process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

test.after.always(killServices)

test('kill -9 amid sendMany, three times: all events there once, and none is told to have failed', async (t) => {
  const settings = { DATA_DIR: temporaryFolder(), PORT: String(await freePort()) }
  let service = await spawnService(settings)
  const weir = connect({ url: service.url })
  await weir.schemas.put({ schema: 'load', streams: { e: { keep: 'forever', attributes: { n: 'integer' } } } })
  const total = 30_000
  let [given, isSent]: [number, boolean] = [0, false]
  async function* events() {
    for (; given < total; given++) {
      if (given % 100 === 0) await sleep(5)
      yield { n: given }
    }
  }
  const killing = (async () => {
    for (const at of [5_000, 12_000, 20_000]) {
      while (given < at && !isSent) await sleep(5)
      await service.end('SIGKILL')
      await sleep(300)
      service = await spawnService(settings)
    }
  })()
  const sent = await weir.stream('load', 'e').sendMany(events(), { maxBytes: 10_000 })
  isSent = true
  await killing
  t.like(sent, { accepted: total, rejected: 0 })
  const [counted] = await weir.sql('SELECT count() AS total, uniqExact(n) AS distinct FROM load.e').all()
  t.deepEqual(counted, { total, distinct: total })
})
