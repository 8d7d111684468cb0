import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import test, { type ExecutionContext } from 'ava'
import { freePort } from '../../../scripts/processes/ports.js'
import { startTestKafka, withKafka } from '../../support/parts/kafka.ts'
import { killServices, spawnService } from '../../support/process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** A certificate that signs itself, for 127.0.0.1. */
function makeCertificate(): { readonly key: string; readonly cert: string } {
  const folder = temporaryFolder()
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  const name = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1']
  execFileSync('openssl', ['req', '-x509', ...curve, ...name, '-keyout', key, '-out', cert], { stdio: 'pipe' })
  return { key, cert }
}

/** Takes TLS connections, and leads them on to a port that is told later. */
async function openDoor(t: ExecutionContext, { key, cert }: { readonly key: string; readonly cert: string }) {
  let port = 0
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (outside) => {
    const inside = connect(port, '127.0.0.1')
    for (const [from, to] of [
      [outside, inside],
      [inside, outside],
    ] as const) {
      from.pipe(to)
      from.once('error', () => to.destroy())
      from.once('close', () => to.destroy())
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    leadTo(inside: number) {
      port = inside
    },
  }
}

const title = "over TLS, by an authority of one's own, Weir posts events and ClickHouse's own consumers take them"

async function run(t: ExecutionContext): Promise<void> {
  t.timeout(240_000)
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
    NODE_EXTRA_CA_CERTS: certificate.cert,
    SSL_CERT_FILE: certificate.cert,
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

if (spawnSync('openssl', ['version']).status === 0) withKafka(title, run)
else test.skip(`${title} (no openssl here)`, () => {})
