/** Signatures of deliveries: the vectors that senders publish, and all that is no signature. */
import { createHmac, randomBytes } from 'node:crypto'
import test from 'ava'
import fc from 'fast-check'
import { claimIn, isGenuine } from '../../../activities/hooks/verify.ts'
import { decodeHook } from '../../../sql/hook/definition.ts'

type Settings = Record<string, string | number | string[]>

async function verdictOf(
  settings: Settings,
  headers: Record<string, string>,
  body: string | Buffer,
  now_s = 0,
): Promise<string> {
  const { hook, secrets } = decodeHook({ into: 's.st', verify: settings })
  const claim = claimIn(hook.verify, headers, now_s)
  if ('mismatch' in claim) return claim.mismatch
  return (await isGenuine(hook.verify, secrets, claim, Buffer.from(body))) ? 'genuine' : 'wrong_signature'
}

const slackBody =
  'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c'

/** GitHub and Slack have theirs in their documentation; the packages of Stripe and Standard Webhooks made theirs. */
const vectors = [
  {
    settings: { scheme: 'github', secret: "It's a Secret to Everybody" },
    headers: { 'x-hub-signature-256': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17' },
    body: 'Hello, World!',
  },
  {
    settings: { scheme: 'slack', secret: '8f742231b10e8888abcd99yyyzzz85a5' },
    headers: {
      'x-slack-signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
      'x-slack-request-timestamp': '1531420618',
    },
    body: slackBody,
    at: 1531420618,
  },
  {
    settings: { scheme: 'stripe', secret: 'whsec_test_secret_of_stripe' },
    headers: {
      'stripe-signature': 't=1700000000,v1=0ededd08aeb61d0514747f3063569fdae19e8a26e926c1ba2e03984ddc51b07d',
    },
    body: '{"id":"evt_1PqYd2","object":"event","type":"charge.succeeded","created":1700000000}',
    at: 1700000000,
  },
  {
    settings: { scheme: 'standard', secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
    headers: {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    },
    body: '{"test": 2432232314}',
    at: 1614265330,
  },
  {
    settings: { scheme: 'shopify', secret: 'hush_of_the_shop_1' },
    headers: { 'x-shopify-hmac-sha256': '439bEkqK/JcZOD6h+lvd4P+5GJ4Q/+xuvGVwufZjaqA=' },
    body: '{"id":820982911946154508,"total_price":"403.00"}',
  },
]

for (const { settings, headers, body, at = 0 } of vectors) {
  const { scheme } = settings

  test(`${scheme}: the published signature is good, and none of another byte, secret or time is`, async (t) => {
    t.is(await verdictOf(settings, headers, body, at), 'genuine')
    t.is(await verdictOf(settings, headers, `${body} `, at), 'wrong_signature')
    t.is(await verdictOf(settings, headers, body.slice(1), at), 'wrong_signature')
    const other = { ...settings, secret: `${settings.secret.slice(0, -1)}a` }
    t.is(await verdictOf(other, headers, body, at), 'wrong_signature')
    t.is(await verdictOf(settings, {}, body, at), 'unsigned')
    if (at > 0) {
      t.is(await verdictOf(settings, headers, body, at + 300), 'genuine')
      t.is(await verdictOf(settings, headers, body, at + 301), 'too_old')
      t.is(await verdictOf(settings, headers, body, at - 300), 'genuine')
      t.is(await verdictOf(settings, headers, body, at - 301), 'too_far_ahead')
      t.is(await verdictOf({ ...settings, tolerance_s: 3000 }, headers, body, at + 3000), 'genuine')
    }
  })

  test(`${scheme}: a header that is cut, longer, empty or of another form is a refusal, never an error`, async (t) => {
    for (const [name, value] of Object.entries(headers))
      for (const wrong of [
        '',
        ' ',
        value.slice(0, -1),
        value.slice(1),
        `${value}a`,
        `${value},${value}`,
        'v1=',
        'x'.repeat(9000),
      ]) {
        if (wrong === `${value},${value}` && scheme === 'stripe') continue // Either of them is good.
        // Padding may be left out.
        const isPassed = value.endsWith('=') && wrong === value.slice(0, -1)
        if (isPassed) continue
        const verdict = await verdictOf(settings, { ...headers, [name]: wrong }, body, at)
        t.not(verdict, 'genuine', `${name}: ${wrong.slice(0, 60)}`)
      }
  })
}

test('while one secret takes the place of another, both are good, and no third one', async (t) => {
  const [first, second, third] = ['the-first-secret-1', 'the-second-secret-2', 'the-third-secret-3']
  const signed = (secret: string) => ({
    'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update('{}').digest('hex')}`,
  })
  const settings = { scheme: 'github', secrets: [second, first] }
  t.is(await verdictOf(settings, signed(first), '{}'), 'genuine')
  t.is(await verdictOf(settings, signed(second), '{}'), 'genuine')
  t.is(await verdictOf(settings, signed(third), '{}'), 'wrong_signature')
})

test('hmac: every algorithm and encoding, with and without prefix and signed time, over bodies that end anywhere', async (t) => {
  const secret = 'a-secret-of-16-or-more'
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('sha256', 'sha1', 'sha384', 'sha512'),
      fc.constantFrom('hex' as const, 'base64' as const),
      fc.constantFrom('', 'sha=', 'v1:'),
      fc.constantFrom(undefined, '{timestamp}.{body}', 'a{body}|{timestamp}', '{timestamp}{timestamp}{body}'),
      fc.uint8Array({ maxLength: 40 }),
      async (algorithm, encoding, prefix, signed, bytes) => {
        const body = Buffer.from(bytes)
        const time = '1700000123456'
        const text = (signed ?? '{body}').replaceAll('{timestamp}', time).split('{body}')
        const whole = Buffer.concat([Buffer.from(text[0] ?? ''), body, Buffer.from(text[1] ?? '')])
        const signature = createHmac(algorithm, secret).update(whole).digest(encoding)
        const settings: Settings = { scheme: 'hmac', secret, header: 'X-Sig', algorithm, encoding, prefix }
        if (signed !== undefined) Object.assign(settings, { timestamp: 'X-Time', signed })
        const headers = { 'x-sig': `${prefix}${signature}`, 'x-time': time }
        t.is(await verdictOf(settings, headers, body, 1700000123), 'genuine')
        t.is(await verdictOf(settings, headers, Buffer.concat([body, Buffer.from('x')]), 1700000123), 'wrong_signature')
        if (signed !== undefined) t.is(await verdictOf(settings, headers, body, 1700001123), 'too_old')
      },
    ),
    { numRuns: 60 },
  )
})

test('a body of megabytes is hashed in turns, under five secrets and with twenty signatures', async (t) => {
  const body = randomBytes(9 * 1024 * 1024)
  const secrets = ['a', 'b', 'c', 'd', 'e'].map((each) => each.repeat(20))
  const good = createHmac('sha256', 'e'.repeat(20)).update('1700000000.').update(body).digest('hex')
  const signatures = [...Array.from({ length: 19 }, () => 'v1=00'), `v1=${good}`]
  let turns = 0
  const turning = setInterval(() => turns++, 0)
  const settings = { scheme: 'stripe', secrets }
  const verdict = await verdictOf(settings, { 'stripe-signature': `t=1700000000,${signatures}` }, body, 1700000000)
  clearInterval(turning)
  t.is(verdict, 'genuine')
  t.true(turns > 0)
})
