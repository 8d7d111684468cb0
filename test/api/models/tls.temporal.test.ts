import test, { type ExecutionContext } from 'ava'
import { startTestTemporal, withTemporal } from '../../support/parts/temporal.ts'
import { killServices, spawnService } from '../../support/process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { type Certificate, type DoorOptions, hasOpenssl, makeCertificate, openDoor } from '../../support/tls-door.ts'
import { pointsCsv } from './data.ts'
import { createTrainer, requestOf } from './trainer.ts'

test.after.always(killServices)

/** A Temporal that is reached over TLS alone, as gRPC asks for it, by HTTP/2; and a service with its address. */
async function open(t: ExecutionContext, settings: Readonly<Record<string, string>>, options: DoorOptions = {}) {
  const [door, temporal] = await Promise.all([
    openDoor(t, ours, { protocols: ['h2'], ...options }),
    startTestTemporal(t),
  ])
  door.leadTo(Number(temporal.address.split(':')[1]))
  const service = await spawnService({ DATA_DIR: temporaryFolder(), TEMPORAL_ADDRESS: door.address, ...settings })
  return { door, service, client: service.client, trainer: createTrainer(service.client) }
}

type Opened = Awaited<ReturnType<typeof open>>

async function trains(t: ExecutionContext, { door, service, client, trainer }: Opened): Promise<void> {
  t.is((await client.get('/health/ready')).body.parts.orchestration.status, 'up')
  await trainer.upload('m', pointsCsv(40))
  t.is(await trainer.train('m', { algo_type: 'LIN' }), 25)
  t.true(door.connections() >= 2) // the client that starts runs, and the worker
  t.is((await service.end('SIGTERM')).code, 0)
}

async function isRefused(t: ExecutionContext, { service, client, trainer }: Opened, why: RegExp): Promise<void> {
  const ready = await client.get('/health/ready')
  t.is(ready.body.parts.orchestration.status, 'failing')
  t.regex(ready.body.parts.orchestration.reason, why)
  await trainer.upload('m', pointsCsv(40))
  const { status, body } = await client.post('/ml/train', requestOf('m', { algo_type: 'LIN' }))
  t.is(status, 503)
  t.regex(JSON.stringify(body), why)
  t.is((await service.end('SIGTERM')).code, 0)
}

const ours: Certificate = hasOpenssl ? makeCertificate() : { authority: '', key: '', cert: '' }
const trusted = { TEMPORAL_TLS_SERVER_CA_CERT_PATH: ours.authority }
const named = { TEMPORAL_TLS_CLIENT_CERT_PATH: ours.cert, TEMPORAL_TLS_CLIENT_KEY_PATH: ours.key }

const cases: Readonly<Record<string, (t: ExecutionContext) => Promise<void>>> = {
  "a training is asked for and run over TLS, by an authority of one's own": async (t) =>
    trains(t, await open(t, trusted)),
  'a Temporal that asks for a certificate is shown one by who asks and by who runs': async (t) =>
    trains(t, await open(t, { ...trusted, ...named }, { clientsOf: ours })),
  'an authority that is not trusted makes a part that is ill and says why': async (t) =>
    isRefused(t, await open(t, { TEMPORAL_TLS: '1' }), /certificate/),
  'a Temporal that asks for a certificate lets nobody in who has none': async (t) =>
    isRefused(t, await open(t, trusted, { clientsOf: ours }), /certificate required/),
}

for (const [title, run] of Object.entries(cases)) {
  if (hasOpenssl) withTemporal.serial(title, run)
  else test.serial.skip(`${title} (no openssl here)`, run)
}
