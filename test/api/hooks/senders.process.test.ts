/** Deliveries that the packages of senders sign. */
import test from 'ava'
import { ensureSenders, importSender } from '../../../scripts/parts/senders.js'
import { startService } from '../../support/service.ts'

const secrets = {
  stripe: 'whsec_a_secret_of_stripe',
  github: 'a-secret-of-github-1',
  standard: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
}

const folder = await ensureSenders()
const having = folder === undefined ? test.skip : test

having('Stripe’s, Octokit’s and Standard Webhooks’ own packages sign for a hook', async (t) => {
  const from = (name: string) => importSender(folder ?? '', name)
  const { default: stripe } = (await from('stripe')) as {
    default: { webhooks: { generateTestHeaderString(of: { payload: string; secret: string }): string } }
  }
  const { sign } = (await from('@octokit/webhooks-methods')) as {
    sign(secret: string, payload: string): Promise<string>
  }
  const { Webhook } = (await from('standardwebhooks')) as {
    Webhook: new (secret: string) => { sign(id: string, at: Date, payload: string): string }
  }
  const { client, close } = await startService()
  t.teardown(close)
  const attr = [{ name: 'n', type: 'LONG' }]
  await client.ok(client.post('/stream', { schema: 's', streams: [{ name: 'st', type: 1, swsz: 0, attr }] }))
  for (const [scheme, secret] of Object.entries(secrets))
    await client.ok(client.send('PUT', `/hook/${scheme}`, { into: 's.st', verify: { scheme, secret } }))
  const payload = JSON.stringify({ id: 'evt_1', n: 1, text: 'ünïcode 🎉' })
  const now = new Date()
  const headers: Record<keyof typeof secrets, Record<string, string>> = {
    stripe: { 'stripe-signature': stripe.webhooks.generateTestHeaderString({ payload, secret: secrets.stripe }) },
    github: { 'x-hub-signature-256': await sign(secrets.github, payload) },
    standard: {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': new Webhook(secrets.standard).sign('msg_1', now, payload),
    },
  }
  for (const [scheme, each] of Object.entries(headers)) {
    t.like(await client.ok(client.send('POST', `/hook/${scheme}`, payload, each)), { accepted: 1 })
    t.is((await client.send('POST', `/hook/${scheme}`, `${payload} `, each)).status, 401, scheme)
  }
  t.is((await client.ok(client.query('select count(*) from s.st'))).retval, 3)
})
