import test from 'ava'
import { startService } from '../../support/service.ts'

const { client, close } = await startService({ NOTIFY_PRIVATE: '1' })
const { post, query } = client
test.after.always(close)

const register = (body: unknown) => post('/db/notification/register', body)
const whole = {
  notifid: 7,
  name: 'late flights',
  rule: 'delay >= 60',
  subject: 'A flight is late',
  msg: 'See the board.\n{"a": 1}',
  freq: 300,
  pri: 2,
  mailto: ['ops@example.org', 'o.k+x@mail.example.org'],
  endpoints: ['http://127.0.0.1:9/hook', 'https://example.org/hook?a=1&b=2'],
  tags: ['air', 'late'],
  mailfrom: 'weir@example.org',
}
const secretOf = (bytes: number): string => `whsec_${Buffer.alloc(bytes, 5).toString('base64')}`
const registered = async (notifid: number) =>
  (await client.documents(`select * from reg_notif where notifid = ${notifid}`))[0]

test.serial('a notification is registered, read back, replaced', async (t) => {
  const answer = await register(whole)
  t.is(answer.status, 200)
  t.is(typeof answer.body.msg, 'string')
  t.deepEqual(await registered(7), { ...whole, state: 1 })
  await client.ok(register({ ...whole, freq: 60, tags: [] }))
  t.deepEqual(await registered(7), { ...whole, freq: 60, tags: [], state: 1 })
  t.is((await client.ok(query('select * from reg_notif'))).num_items, 1)
})

test.serial('it is paused, made active, removed; a replacement keeps its state', async (t) => {
  const setState = (state: unknown) => post('/db/notification/state', { notifid: 7, state })
  t.like(await client.ok(setState(0)), { notifid: 7, state: 0 })
  t.is((await registered(7)).state, 0)
  await client.ok(register(whole))
  t.is((await registered(7)).state, 0)
  await client.ok(setState('active'))
  t.is((await registered(7)).state, 1)
  t.like(await client.ok(setState(-1)), { notifid: 7, state: -1 })
  t.is(await registered(7), undefined)
  t.is((await setState(1)).status, 404)
  t.is((await setState(5)).status, 400)
})

test.serial('a secret is shown where it is new, kept, and never listed', async (t) => {
  const template = { notifid: 30 }
  const { secret } = await client.ok(register(template))
  t.regex(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  t.is((await client.ok(register(template))).secret, undefined)
  for (const own of [secretOf(24), secretOf(64)]) {
    t.is((await client.ok(register({ ...template, secret: own }))).secret, own)
    t.is((await client.ok(register({ ...template, secret: own }))).secret, undefined)
    t.is((await client.ok(register(template))).secret, undefined)
  }
  const listed = await query('select * from reg_notif where notifid = 30')
  t.is(listed.body.num_items, 1)
  t.notRegex(listed.text, /whsec_|secret/)
  t.is(await client.count('select count(*) from reg_notif where secret != ""'), 0)
  await client.ok(post('/db/notification/state', { notifid: 30, state: 'REMOVE' }))
})

test.serial('defaults fill what is left out', async (t) => {
  await client.ok(register({ notifid: '12', endpoints: ['http://example.org'] }))
  const absent = { name: '', rule: '', subject: '', msg: '', freq: 0, pri: 1, mailto: [], tags: [], mailfrom: '' }
  t.deepEqual(await registered(12), { notifid: 12, ...absent, endpoints: ['http://example.org'], state: 1 })
})

test.serial('priorities begin at 0, and seconds between sends have no bound of their own', async (t) => {
  const given = { notifid: 13, pri: 0, freq: Number.MAX_SAFE_INTEGER }
  await client.ok(register(given))
  t.like(await registered(13), given)
})

test.serial('definitions are listed in pages and filtered; none was sent yet', async (t) => {
  for (let notifid = 100; notifid < 105; notifid++) await client.ok(register({ notifid, pri: notifid - 99 }))
  const page = await client.ok(query('select * from reg_notif where pri >= 2 limit 2'))
  t.deepEqual([page.num_items, page.more_data_to_come, page.levk], [2, 1, 102])
  for (const go of [{ levk: page.levk }, { sec_buf: page.sec_buf }]) {
    const next = await client.ok(query('select * from reg_notif where pri >= 2 limit 2', go))
    t.deepEqual([next.num_items, next.more_data_to_come, next.levk], [2, 0, 104])
  }
  t.is((await query('select * from reg_notif where pri >= 3 limit 2', { sec_buf: page.sec_buf })).status, 400)
  t.is(await client.count('select count(*) from reg_notif where pri >= 2'), 4)
  t.deepEqual((await client.ok(query('select * from notif where notifid = 100'))).rows, [])
  t.is(await client.count('select count(*) from notif where notifid = 100'), 0)
})

const refused: readonly (readonly [what: string, body: unknown, said: RegExp])[] = [
  ['no id', { name: 'x' }, /notifid: must be a whole number|notifid: is missing/],
  ['a negative id', { notifid: -1 }, /notifid: must be a whole number from 0/],
  ['an id beyond 2^53', { notifid: 2n ** 53n }, /"error":\["notifid: must be a whole number from 0 to \d+"\]/],
  ['text for an id', { notifid: 'seven' }, /notifid: must be a whole number/],
  ['a bad address', { notifid: 1, mailto: ['ops@example.org', 'nobody'] }, /mailto\[1\]: 'nobody' is no mail address/],
  ['a second line in an address', { notifid: 1, mailto: ['a@b.c\r\nBcc: x@y.z'] }, /no mail address/],
  ['a bad sender', { notifid: 1, mailfrom: 'weir' }, /mailfrom: must be a mail address/],
  ['a bad URL', { notifid: 1, endpoints: ['example.org'] }, /endpoints\[0\]: 'example.org' is no URL of http or https/],
  ['another protocol', { notifid: 1, endpoints: ['file:///etc/passwd'] }, /no URL of http or https/],
  ['a user in a URL', { notifid: 1, endpoints: ['https://me:pw@example.org/'] }, /endpoints\[0\]: must have no user/],
  ['a short secret', { notifid: 1, secret: secretOf(23) }, /secret: must be whsec_ and the base64 of 24 to 64 bytes/],
  ['a long secret', { notifid: 1, secret: secretOf(65) }, /secret: must be whsec_/],
  ['a secret without its prefix', { notifid: 1, secret: secretOf(32).slice(6) }, /secret: must be whsec_/],
  ['a secret that is no base64', { notifid: 1, secret: `${secretOf(30)}!` }, /secret: must be whsec_/],
  ['a number for a secret', { notifid: 1, secret: 5 }, /secret: must be a string/],
  ['a negative frequency', { notifid: 1, freq: -1 }, /freq: must be a whole number from 0/],
  ['a negative priority', { notifid: 1, pri: -1 }, /pri: must be a whole number from 0/],
  ['one address that is no list', { notifid: 1, mailto: 'a@b.c' }, /mailto: must be an array of strings/],
  [
    'one URL that is no list',
    { notifid: 1, endpoints: 'http://example.org' },
    /endpoints: must be an array of strings/,
  ],
  ['one tag that is no list', { notifid: 1, tags: 'air' }, /tags: must be an array of strings/],
  ['a subject of two lines', { notifid: 1, subject: 'a\nBcc: x@y.z' }, /subject: must be one line/],
  ['a number for a name', { notifid: 1, name: 5 }, /name: must be a string/],
  ['no object', [], /a notification is a JSON object/],
]

for (const [what, body, said] of refused) {
  test.serial(`a notification is refused: ${what}`, async (t) => {
    const answer = await register(body)
    t.is(answer.status, 400, answer.text)
    t.regex(answer.text, said)
    t.is(typeof answer.body.msg, 'string')
    t.is(await registered(1), undefined)
  })
}
