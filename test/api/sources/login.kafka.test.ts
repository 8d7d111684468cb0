/** The rights on a source, its secrets, and brokers that ask for a name, a password and TLS. */
import { readFileSync } from 'node:fs'
import test from 'ava'
import { freePort } from '../../../scripts/processes/ports.js'
import { startTestKafka, withKafka } from '../../support/parts/kafka.ts'
import type { Client } from '../../support/requests/client.ts'
import { startService } from '../../support/service.ts'
import { hasOpenssl, makeCertificate, openDoor } from '../../support/tls-door.ts'
import { until } from '../../support/until.ts'
import { madeTopic } from './topic.ts'

const ADMIN_KEY = 'the-key-of-the-one-who-may-do-all'
const admin = { 'x-api-key': ADMIN_KEY }
let client: Client
let close: (() => Promise<void>) | undefined
test.before(async () => {
  ;({ client, close } = await startService({ API_KEYS: 'require', ADMIN_KEY }))
  const attr = [{ name: 'n', type: 'LONG' }]
  for (const schema of ['a', 'b'])
    await client.ok(client.post('/stream', { schema, streams: [{ name: 's', type: 1, swsz: 0, attr }] }, admin))
})
test.after.always(() => close?.())

const keyWith = async (...scopes: string[]) => {
  const { key } = await client.ok(client.post('/keys', { name: 'k', scopes, on: ['schema:a'] }, admin))
  return { 'x-api-key': key }
}
const put = (name: string, body: Record<string, unknown>, headers: Record<string, string> = admin) =>
  client.send('PUT', `/source/${name}`, body, headers)
const shown = (name: string) => client.ok(client.send('GET', `/source/${name}`, undefined, admin))
const accepted = (name: string, count: number) =>
  until(`${count} came`, async () => (await shown(name)).accepted >= count, 60_000)

/** A Kafka that asks for a name and a password, and one of its topics. */
const login = 'org.apache.kafka.common.security.plain.PlainLoginModule required'
const asks = {
  'listener.security.protocol.map': 'CLIENTS:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT',
  'sasl.enabled.mechanisms': 'PLAIN',
  'sasl.mechanism.inter.broker.protocol': 'PLAIN',
  'listener.name.clients.plain.sasl.jaas.config': `${login} username="weir" password="a-secret" user_weir="a-secret";`,
}

withKafka.serial(
  'a source takes define and a right to send events, shows no secret, and keeps it for its brokers',
  async (t) => {
    t.timeout(300_000)
    const { brokers } = await startTestKafka(t, { properties: asks })
    const made = await madeTopic(brokers, 1, { sasl: { mechanism: 'plain', username: 'weir', password: 'a-secret' } })
    t.teardown(made.close)
    await made.json([{ n: 1 }])
    const sasl = { mechanism: 'plain', user: 'weir' }
    const of = (more: object, into = 'a.s') => ({
      kafka: { brokers: [brokers], topic: made.topic, sasl: { ...sasl, ...more } },
      into,
    })
    const body = of({ password: 'a-secret' })
    for (const scopes of [
      ['read', 'define'],
      ['write', 'ingest'],
      ['write', 'read'],
    ])
      t.is((await put('s', body, await keyWith(...scopes))).status, 403, `${scopes}`)
    t.is((await put('s', of({ password: 'a-secret' }, 'b.s'), await keyWith('write', 'define'))).status, 403)
    const missing = await put('s', of({}))
    t.like(missing.body, {
      error: ['kafka.sasl.password: is missing: send it with a new user, and whenever brokers change'],
    })
    const wrong = await put('s', of({ password: 'another' }))
    t.is(wrong.status, 400)
    t.regex(wrong.text, /cannot be read from: .*[Aa]uthentication/)
    t.false(wrong.text.includes('another'))
    await client.ok(put('s', body, await keyWith('write', 'define')))
    await accepted('s', 1)
    t.false(JSON.stringify(await shown('s')).includes('a-secret'))
    t.like(await shown('s'), { kafka: { sasl } })
    // The password is kept with the same brokers, and not for others.
    t.regex((await client.ok(put('s', { ...of({}), description: 'of others' }))).msg, /is changed: it goes on where/)
    const moved = { ...of({}), kafka: { ...of({}).kafka, brokers: ['127.0.0.1:9'] } }
    t.regex((await put('s', moved)).text, /kafka.sasl.password: is missing/)
    await made.json([{ n: 2 }])
    await accepted('s', 2)

    const reader = await keyWith('read')
    t.is((await client.send('GET', '/source/s', undefined, reader)).status, 200)
    t.is((await client.send('GET', '/source/none', undefined, reader)).status, 403)
    for (const [method, path] of [
      ['PUT', '/source/s/OFF'],
      ['DELETE', '/source/s'],
    ] as const)
      t.is((await client.send(method, path, undefined, reader)).status, 403)
    await client.ok(put('of_b', of({ password: 'a-secret' }, 'b.s')))
    t.is((await put('of_b', body, await keyWith('write', 'define'))).status, 403, 'it would take the source of another')
    const { sources } = await client.ok(client.send('GET', '/source', undefined, reader))
    t.deepEqual(
      sources.map(({ name }: { name: string }) => name),
      ['s'],
    )
    const { text } = await client.send('GET', '/audit?limit=100', undefined, admin)
    t.true(text.includes('"source"') && !text.includes('a-secret'))
    const deleted = await client.ok(client.send('DELETE', '/stream/b?dry=1', undefined, admin))
    t.regex(JSON.stringify(deleted), /source of_b feeds a stream of b: it waits while that is not there/)
  },
)

const overTls = 'over TLS a source trusts the authority that it names, and no broker of another one'
if (hasOpenssl)
  withKafka.serial(overTls, async (t) => {
    t.timeout(300_000)
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
    const ca = readFileSync(certificate.authority, 'utf8')
    const made = await madeTopic(door.address, 1, { ssl: { ca } })
    t.teardown(made.close)
    await made.json([{ n: 1 }])
    const of = (tls: unknown) => ({ kafka: { brokers: [door.address], topic: made.topic, tls }, into: 'a.s' })
    t.regex((await put('tls', of(true))).text, /cannot be read from: .*certificate/)
    await client.ok(put('tls', of({ ca })))
    await accepted('tls', 1)
  })
else test.skip(`${overTls} (no openssl here)`, () => {})
