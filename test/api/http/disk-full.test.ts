/** Refusals that are none of the client's: on a full disk each request is one. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import test from 'ava'
import Koa from 'koa'
import { pino } from 'pino'
import { answerFaults } from '../../../api/http/errors.ts'
import { fault } from '../../../base/faults.ts'
import { ClickHouseError } from '../../../infra/clickhouse/clickhouse.ts'
import { createMetrics } from '../../../infra/metrics.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

async function serve(fail: () => never) {
  const lines: string[] = []
  const metrics = createMetrics()
  const app = new Koa()
  app.use(answerFaults(pino({}, { write: (line) => lines.push(line) }), metrics))
  app.use(fail)
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const ask = async () => {
    const response = await fetch(url)
    return { status: response.status, body: (await response.json()) as { error: string[] } }
  }
  return { ask, lines, metrics, close: () => server.close() }
}

test('a hundred refusals of a full log make a line or two without a stack, and each is counted', async (t) => {
  const { ask, lines, metrics, close } = await serve(() => {
    throw fault('limited', 'the log could not be written', { limit: 'disk', cause: new Error('5 bytes are free') })
  })
  for (let n = 0; n < 100; n++) t.is((await ask()).status, 503)
  t.true(lines.length >= 1 && lines.length <= 100 / 10, lines.join(''))
  t.regex(lines[0] ?? '', /"reason":"the log could not be written: 5 bytes are free".*request not served/)
  t.notRegex(lines.join(''), /stack/)
  t.deepEqual(
    (await metrics.limitsHit.get()).values.map(({ labels, value }) => [labels.setting, value]),
    [['disk', 100]],
  )
  close()
})

test('a change for which ClickHouse finds no room is told by the disk', async (t) => {
  const { ask, close } = await serve(() => {
    throw new ClickHouseError(1002, 'Code: 1002. DB::Exception: No space left on device')
  })
  const { status, body } = await ask()
  t.is(status, 503)
  t.regex(body.error.join(), /disk of ClickHouse is full/)
  close()
})

test('the free room of the disk is a metric', async (t) => {
  const metrics = createMetrics()
  metrics.watchDisk(temporaryFolder())
  t.regex(await metrics.registry.metrics(), /weir_disk_free_bytes [1-9]\d+\n/)
  t.regex(await metrics.registry.metrics(), /weir_disk_total_bytes [1-9]\d+\n/)
})
