/** The vectors that Standard Webhooks publishes with its libraries, and two of these libraries as receivers. */
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import test from 'ava'
import { generateSecret, sign } from '../../../activities/notifications/secrets.ts'
import { ensureWebhooksInPython, ensureWebhooksOfNpm } from '../../../scripts/parts/webhook-libraries.js'
import { openHook } from '../../support/hook.ts'
import { startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

type Received = { readonly secret: string; readonly headers: Readonly<Record<string, string>>; readonly text: string }

const inPython = await ensureWebhooksInPython()
const ofNpm = await ensureWebhooksOfNpm()
const hook = await openHook()
test.after.always(() => hook.close())

/** Whether the library takes each send. */
function verifiedInPython(sends: readonly Received[]): boolean[] {
  const program = `
import json, sys
from standardwebhooks import Webhook
def taken(send):
    try:
        Webhook(send["secret"]).verify(send["text"], send["headers"])
        return True
    except Exception:
        return False
print(json.dumps([taken(send) for send in json.load(sys.stdin)]))
`
  const { stdout, stderr } = spawnSync('python3', ['-c', program], {
    input: JSON.stringify(sends),
    encoding: 'utf8',
    env: { ...process.env, PYTHONPATH: inPython },
  })
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout)
}

function verifiedByNpm(sends: readonly Received[]): boolean[] {
  const { Webhook } = createRequire(join(ofNpm ?? '', 'package.json'))('standardwebhooks')
  return sends.map(({ secret, headers, text }) => {
    try {
      new Webhook(secret).verify(text, headers)
      return true
    } catch {
      return false
    }
  })
}

const libraries = [
  ['Python', inPython, verifiedInPython],
  ['npm', ofNpm, verifiedByNpm],
] as const

const published = [
  ['{"test": 2432232314}', 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='],
  ['{"test":2432232314}', 'v1,Vif40peJBP7Iyl0XGmu61n4MwdrcHov5CFREBpE0svs='],
] as const

for (const [body, signature] of published) {
  test(`the published signature of ${body}`, (t) => {
    t.is(sign('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'msg_p5jXN8AQM9LWM0D4loKWxJek', 1_614_265_330, body), signature)
  })
}

const bodies = [
  '',
  '{}',
  '{"who":"Zoë \\u0000 \\ud83d\\ude00 \u2028"}',
  `{"n":${2n ** 62n}}`,
  `"${'x'.repeat(100_000)}"`,
]

for (const [name, library, verified] of libraries) {
  const withLibrary = library === undefined ? test.skip : test

  withLibrary(
    `${name}'s library takes what is signed now, and nothing that was changed, is old or has another secret`,
    (t) => {
      const now_s = Math.floor(Date.now() / 1000)
      const signed = (text: string, timestamp_s = now_s, secret = generateSecret()): Received => ({
        secret,
        text,
        headers: {
          'webhook-id': 'ntf_1_5',
          'webhook-timestamp': String(timestamp_s),
          'webhook-signature': sign(secret, 'ntf_1_5', timestamp_s, text),
        },
      })
      const good = bodies.slice(1).map((text) => signed(text))
      t.deepEqual(
        verified(good),
        good.map(() => true),
      )
      const bad = [
        { ...signed('{}'), text: '{ }' },
        { ...signed('{}'), secret: generateSecret() },
        signed('{}', now_s - 3_600),
        { ...signed('{}'), headers: { ...signed('{}').headers, 'webhook-id': 'ntf_1_6' } },
      ]
      t.deepEqual(
        verified(bad),
        bad.map(() => false),
      )
    },
  )
}

test('each send of a service is taken by both: of matches, gathered ones, watches and schedules', async (t) => {
  t.timeout(120_000)
  const { client, close } = await startService({ NOTIFY_PRIVATE: '1' })
  t.teardown(close)
  const secrets = new Map<string, string>()
  for (const [notifid, freq] of [
    [1, 0],
    [2, 1],
    [3, 0],
  ] as const) {
    const { secret } = await client.ok(
      client.post('/db/notification/register', { notifid, freq, endpoints: [hook.url(`/${notifid}`)] }),
    )
    secrets.set(`/${notifid}`, secret)
  }
  const fltr = [1, 2].map((notf) => ({
    name: `f${notf}`,
    fqry: { name: JSON.stringify({ query: [{ key: 'n', cmp_op: 4, val: 1 }], qtype: 1 }), type: 1 },
    notf,
  }))
  const attr = [
    { name: 'n', type: 'LONG' },
    { name: 'who', type: 'STRING' },
  ]
  await client.register({ schema: 's', streams: [{ name: 'st', type: 1, swsz: 0, attr, fltr }] })
  for (const who of ['Zoë', '"\\ \n', '😀']) await client.event('s.st', { n: 1, who })
  await client.ok(
    client.send('PUT', '/saved/watched', {
      sql: 'SELECT who, count() AS n FROM s.st GROUP BY who',
      watch: { every: 1, when: 'n > 0', key: ['who'], notf: 3 },
      schedule: [{ cron: '0 0 1 1 *', notf: 3, format: 'Parquet' }],
    }),
  )
  await client.ok(client.post('/saved/watched/run', {}))
  await until(
    'all sends',
    () => hook.at('/1').length >= 3 && hook.at('/2').length >= 2 && hook.at('/3').length >= 4,
    90_000,
  )
  const sends = [...secrets].flatMap(([path, secret]) =>
    hook.at(path).map(
      ({ headers, text }): Received => ({
        secret,
        text,
        headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
      }),
    ),
  )
  for (const [, library, verified] of libraries)
    if (library !== undefined)
      t.deepEqual(
        verified(sends),
        sends.map(() => true),
      )
})
