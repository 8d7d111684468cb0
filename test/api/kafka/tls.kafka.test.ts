import test, { type ExecutionContext } from 'ava'
import { freePort } from '../../../scripts/processes/ports.js'
import { startTestKafka, withKafka } from '../../support/parts/kafka.ts'
import { killServices, spawnService } from '../../support/process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { hasOpenssl, makeCertificate, openDoor } from '../../support/tls-door.ts'

const title = "over TLS, by an authority of one's own, Weir posts events and ClickHouse's own consumers take them"

async function run(t: ExecutionContext): Promise<void> {
  t.timeout(600_000)
  t.teardown(killServices)
  const certificate = makeCertificate()
  const door = await openDoor(t, certificate)
  const [port, inside, controller] = [await freePort(), await freePort(), await freePort()]
  // The broker speaks with itself without TLS.
  await startTestKafka(t, {
    port,
    properties: {
      listeners: `CLIENTS://127.0.0.1:${port},INSIDE://127.0.0.1:${inside},CONTROLLER://127.0.0.1:${controller}`,
      'advertised.listeners': `CLIENTS://${door.address},INSIDE://127.0.0.1:${inside}`,
      'listener.security.protocol.map': 'CLIENTS:PLAINTEXT,INSIDE:PLAINTEXT,CONTROLLER:PLAINTEXT',
      'inter.broker.listener.name': 'INSIDE',
      'controller.quorum.voters': `1@127.0.0.1:${controller}`,
    },
  })
  door.leadTo(port)
  const { client } = await spawnService({
    DATA_DIR: temporaryFolder(),
    KAFKA_BROKERS: door.address,
    KAFKA_TLS: '1',
    NODE_EXTRA_CA_CERTS: certificate.authority,
  })
  await client.register({
    schema: 'tls',
    streams: [{ name: 's', type: 1, swsz: 0, attr: [{ name: 'n', type: 'LONG', stat: 'RSTAT' }] }],
  })
  await client.lines(
    'tls.s',
    Array.from({ length: 100 }, (_, n) => ({ n })),
  )
  t.is(await client.count('select count(*) from tls.s'), 100)
}

if (hasOpenssl) withKafka(title, run)
else test.skip(`${title} (no openssl here)`, () => {})
