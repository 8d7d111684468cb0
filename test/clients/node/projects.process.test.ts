/** Projects: a folder of definitions is planned, applied, pulled and tested against a service. */
import { spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import test from 'ava'
import { programOf } from '../../support/program.ts'
import { createClient } from '../../support/requests/client.ts'
import { startService } from '../../support/service.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'

const { url, client, close } = await startService()
test.after.always(close)

async function weir(...args: string[]) {
  const child = spawn(process.execPath, [...programOf('clients/node/cli/main.ts'), ...args], {
    env: {
      ...{ PATH: process.env.PATH, HOME: temporaryFolder(), WEIR_URL: url },
      ...(process.env.HOOK_SECRET !== undefined && { HOOK_SECRET: process.env.HOOK_SECRET }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [said, told] = ['', '']
  child.stdout.on('data', (part: Buffer) => {
    said += part
  })
  child.stderr.on('data', (part: Buffer) => {
    told += part
  })
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, said, told }
}

function project(files: Readonly<Record<string, string>>, folder = temporaryFolder()): string {
  for (const [path, text] of Object.entries({ 'weir.yaml': 'name: trial\n', ...files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

const schema = (name: string, attributes: Readonly<Record<string, string>>): string =>
  `schema: ${name}\nstreams:\n  e:\n    keep: forever\n    attributes:\n${Object.entries(attributes)
    .map(([attribute, form]) => `      ${attribute}: ${form}\n`)
    .join('')}`

async function changesOf(folder: string, ...more: string[]): Promise<Record<string, string>[]> {
  const { code, said, told } = await weir('plan', '-C', folder, '--json', ...more)
  if (said === '') throw new Error(`plan ended with ${code}: ${told}`)
  return JSON.parse(said).changes
}

test.serial('the project of weir init passes its tests, is applied, and then nothing would change', async (t) => {
  const folder = temporaryFolder()
  t.is((await weir('init', folder)).code, 0)
  const tested = await weir('test', '-C', folder)
  t.is(tested.code, 0, tested.said + tested.told)
  t.regex(tested.said, /2 passed, 0 failed\n$/)
  const planned = await weir('plan', '-C', folder)
  t.is(planned.code, 2)
  t.regex(planned.said, /^\+ add +stream shop\.orders: posted\n/)
  t.deepEqual((await client.ok(client.get('/stream/list'))).schemas, [])
  t.is((await weir('apply', '-C', folder)).code, 0)
  t.like(await weir('plan', '-C', folder), { code: 0, said: 'nothing would change\n' })
  const version = (await client.ok(client.get('/saved/revenue'))).version
  t.like(await weir('apply', '-C', folder), { code: 0, said: 'nothing would change\nall is as the project says\n' })
  t.is((await client.ok(client.get('/saved/revenue'))).version, version)
})

test.serial('a test that does not hold shows the difference and ends with 1', async (t) => {
  const folder = temporaryFolder()
  await weir('init', folder)
  writeFileSync(
    join(folder, 'tests/revenue.yaml'),
    'wrong:\n  saved: revenue\n  rows:\n    - { country: DE, orders: 3, revenue: 12.5 }\n',
  )
  const { code, said } = await weir('test', '-C', folder)
  t.is(code, 1)
  t.true(
    said.includes(
      '    - {"country":"DE","orders":3,"revenue":12.5}\n    + {"country":"DE","orders":2,"revenue":12.5}\n    + {"country":"FR","orders":1,"revenue":5}\n0 passed, 1 failed',
    ),
    said,
  )
})

test.serial(
  'notifications of a project go nowhere while it is tested, so that it may name receivers inside',
  async (t) => {
    const notification = 'notifid: 1\nname: dear\nendpoints: ["http://127.0.0.1:9/hook"]\nmailto: [ops@example.org]\n'
    const { code, said, told } = await weir('test', '-C', project({ 'notifications/1.yaml': notification }))
    t.deepEqual({ code, said, told }, { code: 0, said: '0 passed, 0 failed\n', told: '' })
  },
)

test.serial('what a plan refuses or would lose is not begun', async (t) => {
  const folder = project({
    'schemas/one.yaml': schema('one', { a: 'text', b: 'number' }),
    'schemas/two.yaml': 'schema: two\nstreams:\n  e: { attributes: { a: nonsense } }\n',
  })
  const refused = await weir('apply', '-C', folder)
  t.is(refused.code, 1)
  t.regex(refused.said, /✗ refuse schema schemas\/two\.yaml: .*line 3/)
  t.is((await client.get('/stream/one/schema')).status, 404)
  rmSync(join(folder, 'schemas/two.yaml'))
  t.is((await weir('apply', '-C', folder)).code, 0)
  await client.send('POST', '/stream/one/e', { a: 'x', b: 1 })
  writeFileSync(join(folder, 'schemas/one.yaml'), schema('one', { a: 'text' }))
  writeFileSync(join(folder, 'schemas/one.yaml'), schema('one', { a: 'number' }))
  t.regex(
    (await weir('plan', '-C', folder)).said,
    /✗ refuse schema one: attribute e\.a is text and stays so, got number\n/,
  )
  writeFileSync(join(folder, 'schemas/one.yaml'), schema('one', { a: 'text' }))
  const lossy = await weir('apply', '-C', folder)
  t.is(lossy.code, 1)
  t.regex(lossy.told, /--allow-loss does it/)
  t.true('b' in (await client.ok(client.get('/stream/one/schema?as=words'))).streams.e.attributes)
  t.is((await weir('apply', '-C', folder, '--allow-loss')).code, 0)
  writeFileSync(join(folder, 'schemas/one.yaml'), schema('one', { a: 'text' }).replace('keep: forever', 'keep: 30d'))
  const loses = /! lose {3}schema one: keep of stream e: events stay for ever, 2592000 would lose some\n/
  t.regex((await weir('plan', '-C', folder)).said, loses)
  t.is((await weir('apply', '-C', folder)).code, 1)
  t.is((await weir('apply', '-C', folder, '--allow-loss')).code, 0)
  t.false('b' in (await client.ok(client.get('/stream/one/schema?as=words'))).streams.e.attributes)
})

const aside = 'schemas/early.yaml'

for (const [what, files, says] of [
  [
    'a question with a typo over a stream that the project brings',
    { 'saved/typo.sql': 'SELECT pricee FROM early.e\n', 'saved/good.sql': 'SELECT price FROM early.e\n' },
    /saved\/typo\.sql: .*pricee/s,
  ],
  [
    'a notification with an address that is none',
    { 'notifications/77.yaml': 'notifid: 77\nname: x\nendpoints: ["ftp://bad"]\n' },
    /refuse notification notifications\/77\.yaml: .*endpoints/,
  ],
  [
    'a table of a key that is too large',
    { 'tables/large.yaml': 'key_sz: 9999\n' },
    /refuse table tables\/large\.yaml: .*key_sz/,
  ],
  [
    'a hook into a stream that its schema has not',
    { 'hooks/stray.yaml': 'into: early.nostream\nverify: { scheme: github, secret: a-secret-of-github }\n' },
    /refuse hook hooks\/stray\.yaml: there is no stream early\.nostream/,
  ],
] as const)
  test.serial(`${what} leaves nothing of the project behind`, async (t) => {
    const others = { [aside]: schema('early', { price: 'number' }), 'tables/before.yaml': '{}\n' }
    const folder = project({ ...others, ...files })
    const { code, said, told } = await weir('apply', '-C', folder)
    t.is(code, 1, said + told)
    t.regex(said + told, says)
    t.regex(told, /nothing is changed/)
    t.deepEqual(await tracesOf('early'), [])
    const good = project(others)
    t.is((await weir('apply', '-C', good)).code, 0)
    t.is((await client.send('DELETE', '/stream/early')).status, 200)
    t.is((await client.send('DELETE', '/db/mydb/before')).status, 200)
  })

async function tracesOf(name: string): Promise<string[]> {
  const { schemas } = await client.ok(client.get('/stream/list'))
  const { tables = [] } = (await client.get('/db/mydb/list')).body
  const { saved = [] } = await client.ok(client.get('/saved'))
  return [
    ...schemas.filter((each: { name: string }) => each.name === name).map(() => 'schema'),
    ...tables.filter((table: string) => table === 'before'),
    ...saved.filter((each: { name: string }) => ['typo', 'good'].includes(each.name)).map(() => 'question'),
  ]
}

test.serial('definitions that an apply had changed are as before where it is refused', async (t) => {
  const begin = { 'schemas/kept.yaml': schema('kept', { a: 'number' }), 'saved/all.sql': 'SELECT a FROM kept.e\n' }
  t.is((await weir('apply', '-C', project(begin))).code, 0)
  await client.ok(client.send('POST', '/stream/kept/e', { a: 1 }))
  const folder = project({
    'schemas/kept.yaml': schema('kept', { a: 'number', b: 'number' }),
    'saved/all.sql': 'SELECT a, b FROM kept.e\n',
    'saved/wrong.sql': 'SELECT a, c FROM kept.e\n',
  })
  const { code, told } = await weir('apply', '-C', folder)
  t.is(code, 1)
  t.regex(told, /saved\/wrong\.sql.*nothing is changed: what was made before it is taken back/s)
  t.deepEqual(Object.keys((await client.ok(client.get('/stream/kept/schema?as=words'))).streams.e.attributes), ['a'])
  t.is((await client.ok(client.get('/saved/all'))).sql, 'SELECT a FROM kept.e')
  t.like(await weir('plan', '-C', project(begin)), { code: 0, said: 'nothing would change\n' })
  await client.ok(client.send('DELETE', '/saved/all'))
  await client.ok(client.send('DELETE', '/stream/kept'))
})

for (const signal of ['SIGTERM', 'SIGINT'] as const)
  test.serial(`${signal} at a test of a project ends its throwaway Weir and takes its folder away`, async (t) => {
    const folder = temporaryFolder()
    t.is((await weir('init', folder)).code, 0)
    const TMPDIR = temporaryFolder()
    const child = spawn(process.execPath, [...programOf('clients/node/cli/main.ts'), 'test', '-C', folder], {
      env: { PATH: process.env.PATH, HOME: temporaryFolder(), TMPDIR },
      stdio: 'ignore',
    })
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
    const dataOf = () => readdirSync(TMPDIR).filter((name) => name.startsWith('weir-throwaway-'))
    await until('the throwaway Weir', async () => dataOf().length === 1, 30_000)
    child.kill(signal)
    t.is(await ended, signal === 'SIGTERM' ? 143 : 130)
    t.deepEqual(dataOf(), [])
  })

test.serial('tables come before the schemas whose lookups name them', async (t) => {
  const folder = project({
    'tables/depots.yaml': '{}\n',
    'schemas/orders.yaml':
      'schema: orders\nstreams:\n  o:\n    keep: forever\n    attributes: { customer: text }\n    lookups:\n      home: { from: "table mydb.depots", where: "_pk = this.customer", take: { country: home } }\n',
  })
  const applied = await weir('apply', '-C', folder)
  t.is(applied.code, 0, applied.said + applied.told)
  t.is((await weir('plan', '-C', folder)).code, 0)
})

test.serial('what is pulled is what is there, and prune removes what the project has not', async (t) => {
  const folder = temporaryFolder()
  t.is((await weir('pull', folder)).code, 0)
  t.true(readdirSync(join(folder, 'schemas')).includes('shop.yaml'))
  t.like(await weir('plan', '-C', folder, '--prune'), { code: 0, said: 'nothing would change\n' })
  rmSync(join(folder, 'schemas/one.yaml'))
  mkdirSync(join(folder, 'hooks'), { recursive: true })
  writeFileSync(
    join(folder, 'hooks/late.yaml'),
    'into: one.e\nverify: { scheme: github, secret: a-secret-of-a-project }\n',
  )
  writeFileSync(join(folder, 'saved/late.sql'), 'SELECT count() AS n FROM `one` . "e"\n')
  const refused = await weir('apply', '-C', folder, '--prune')
  t.is(refused.code, 1)
  t.regex(
    refused.said,
    /✗ refuse saved question saved\/late\.sql: it asks schema one, which the project has not and this plan/,
  )
  t.regex(
    refused.said,
    /✗ refuse hook hooks\/late\.yaml: it is into schema one, which the project has not and this plan/,
  )
  t.is((await client.get('/stream/one/schema')).status, 200)
  rmSync(join(folder, 'hooks/late.yaml'))
  rmSync(join(folder, 'saved/late.sql'))
  rmSync(join(folder, 'saved/revenue.sql'))
  t.is((await weir('plan', '-C', folder)).code, 0)
  const pruned = await weir('apply', '-C', folder, '--prune')
  t.is(pruned.code, 0, pruned.told)
  t.regex(pruned.said, /- remove saved question revenue\n- remove schema one/)
  t.is((await client.get('/stream/one/schema')).status, 404)
})

/** A command that stays until it is ended: its address, and its exit code behind SIGINT. */
async function staying(...args: string[]) {
  const child = spawn(process.execPath, [...programOf('clients/node/cli/main.ts'), ...args], {
    env: { PATH: process.env.PATH, HOME: temporaryFolder(), WEIR_URL: url, TMPDIR: temporaryFolder() },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  process.once('exit', () => child.kill('SIGKILL'))
  let [said, told] = ['', '']
  child.stderr.on('data', (part: Buffer) => {
    told += part
  })
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve))
  const place = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (part: Buffer) => {
      said += part
      const found = / is at (http:\S+),/.exec(said)?.[1]
      if (found !== undefined) resolve(found)
    })
    child.once('close', () => reject(new Error(said + told)))
  })
  return {
    client: createClient(place),
    said: () => said + told,
    async end() {
      child.kill('SIGINT')
      return exited
    },
  }
}

test.serial('weir dev serves the project with its fixtures, and follows each change of a file', async (t) => {
  const folder = project({
    'schemas/kept.yaml': schema('kept', { a: 'text' }),
    'fixtures/kept.e.ndjson': '{"a":"one"}\n{"a":"two"}\n',
  })
  const dev = await staying('dev', '-C', folder)
  t.is((await dev.client.ok(dev.client.get('/stream/kept/e/count'))).count, 2)
  t.is((await dev.client.get('/console')).status, 200)
  writeFileSync(join(folder, 'schemas/kept.yaml'), schema('kept', { a: 'text', b: 'number' }))
  const attributes = async () =>
    Object.keys((await dev.client.ok(dev.client.get('/stream/kept/schema?as=words'))).streams.e.attributes)
  await until('the edit', async () => (await attributes()).includes('b'))
  writeFileSync(join(folder, 'schemas/kept.yaml'), 'schema: kept\nstreams: nonsense\n')
  await until('the refusal', async () => /refuse/.test(dev.said()))
  t.deepEqual(await attributes(), ['a', 'b'])
  t.is((await dev.client.ok(dev.client.get('/stream/kept/e/count'))).count, 2)
  t.is(await dev.end(), 0)
  await t.throwsAsync(dev.client.get('/'))
})

test.serial('weir dev and weir branch end with the throwaway Weir where they fail', async (t) => {
  const dev = await weir('dev', '-C', project({ 'schemas/bad.yaml': 'schema: bad\nstreams: nonsense\n' }))
  t.like(dev, { code: 1, said: '' })
  t.regex(dev.told, /^weir: schemas\/bad\.yaml: /m)
  const branch = await weir('branch', '--url', 'http://127.0.0.1:1')
  t.like(branch, { code: 3, said: '' })
})

test.serial(
  'weir branch has the definitions and the latest events of a running service, and changes nothing of that',
  async (t) => {
    const folder = project({
      'schemas/trunk.yaml': schema('trunk', { a: 'integer' }),
      'saved/latest.sql': 'SELECT max(a) AS latest FROM trunk.e\n',
      'saved/report.sql': `/*
schedule:
  - { cron: "*/15 * * * *", into: { bucket: trunks, key: "{date}.csv" } }
*/
SELECT max(a) AS latest FROM trunk.e
`,
    })
    await client.ok(client.post('/brs/bucket', { bucket_name: 'trunks' }))
    await client.ok(client.send('PUT', '/brs/trunks/object/kept.csv', 'latest\n0\n'))
    t.is((await weir('apply', '-C', folder)).code, 0)
    await client.ok(
      client.post('/stream/trunk/e', '{"a":1}\n{"a":2}\n{"a":3}\n', { 'content-type': 'application/x-ndjson' }),
    )
    await client.ok(client.post('/db/mydb/table', { table_name: 'went', table_type: 1, key_type: 1 }))
    const lookups = { home: { from: 'table mydb.went', where: '_pk = this.a', take: { country: 'home' } } }
    const looking = { e: { keep: 'forever', attributes: { a: 'text' }, lookups } }
    await client.ok(client.post('/stream', { schema: 'looking', streams: looking }))
    await client.ok(client.send('DELETE', '/db/mydb/went'))
    const branch = await staying('branch', '--last', '2')
    t.true('home' in (await branch.client.ok(branch.client.get('/stream/looking/schema?as=words'))).streams.e.lookups)
    const events = await branch.client.ok(
      branch.client.post('/db/mydb/query', { sql: 'select * from trunk.e', rows: 'objects' }),
    )
    t.deepEqual(
      events.rows.map(({ a }: { a: number }) => a),
      [3, 2],
    )
    t.deepEqual((await branch.client.ok(branch.client.get('/saved/latest/rows'))).rows, [{ latest: 3 }])
    const { schedule } = await branch.client.ok(branch.client.get('/saved/report'))
    t.like(schedule, [{ into: { bucket: 'trunks' } }])
    const { key_list: kept } = await branch.client.ok(branch.client.post('/brs/object/list', { bucket_name: 'trunks' }))
    t.false(kept.some(({ key }: { key: string }) => key === 'kept.csv'))
    await branch.client.ok(branch.client.post('/stream/trunk/e', { a: 9 }))
    t.is((await client.ok(client.get('/stream/trunk/e/count'))).count, 3)
    t.is(await branch.end(), 0)
  },
)

test.serial('an apply that is killed amid is finished by the next', async (t) => {
  const files = Object.fromEntries(
    Array.from({ length: 12 }, (_, n) => [`schemas/k${n}.yaml`, schema(`k${n}`, { a: 'text', b: 'number' })]),
  )
  const folder = project(files)
  const child = spawn(process.execPath, [...programOf('clients/node/cli/main.ts'), 'apply', '-C', folder], {
    env: { PATH: process.env.PATH, HOME: folder, WEIR_URL: url },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  await new Promise<void>((resolve) =>
    child.stderr.on('data', (part: Buffer) => String(part).includes('k3') && resolve()),
  )
  child.kill('SIGKILL')
  t.is((await weir('apply', '-C', folder)).code, 0)
  t.is((await weir('plan', '-C', folder)).code, 0)
  const { schemas } = await client.ok(client.get('/stream/list'))
  t.is(schemas.filter(({ name }: { name: string }) => name.startsWith('k')).length, 12)
})

test.serial('the record of changes has the commit of the project, and a header that is none is refused', async (t) => {
  const folder = project({ 'schemas/audited.yaml': schema('audited', { a: 'text' }) })
  for (const args of [
    ['init', '-q'],
    ['add', '.'],
    ['-c', 'user.name=t', '-c', 'user.email=t@example.org', 'commit', '-qm', 'one'],
  ]) {
    const child = spawn('git', ['-C', folder, ...args], { stdio: 'ignore' })
    t.is(await new Promise((resolve) => child.once('close', resolve)), 0)
  }
  t.is((await weir('apply', '-C', folder)).code, 0)
  const { changes } = await client.ok(client.get('/audit?limit=1'))
  const head = readFileSync(
    join(folder, '.git', readFileSync(join(folder, '.git/HEAD'), 'utf8').slice(5).trim()),
    'utf8',
  )
  t.true(changes[0].detail.endsWith(`; commit ${head.slice(0, 12)}`), changes[0].detail)
  const odd = await fetch(`${url}/stream/audited`, { method: 'DELETE', headers: { 'x-weir-commit': 'a b' } })
  t.is(odd.status, 400)
  t.is((await client.get('/stream/audited/schema')).status, 200)
})

test.serial(
  'a hook of a project is planned, applied and pulled; its secret comes from a variable, and stays',
  async (t) => {
    const hook = (secret: string) => `into: doors.e\nverify: { scheme: github${secret} }\nid: id\n`
    const files = {
      'schemas/doors.yaml': schema('doors', { n: 'integer' }),
      'hooks/h.yaml': hook(', secret: $HOOK_SECRET'),
    }
    const folder = project(files)
    const hooks = async () => (await changesOf(folder)).filter(({ kind }) => kind === 'hook')
    t.like(await hooks(), [{ verb: 'add', name: 'h' }])
    process.env.HOOK_SECRET = 'a-secret-of-a-project'
    t.is((await weir('apply', '-C', folder)).code, 0)
    delete process.env.HOOK_SECRET
    t.deepEqual(await hooks(), [])
    const body = '{"id":1,"n":1}'
    const sign = (secret: string) => ({
      'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    })
    t.is((await client.send('POST', '/hook/h', body, sign('a-secret-of-a-project'))).status, 200)
    const pulled = temporaryFolder()
    t.is((await weir('pull', pulled)).code, 0)
    t.false(readFileSync(join(pulled, 'hooks/h.yaml'), 'utf8').includes('secret'))
    t.is((await weir('plan', '-C', pulled)).said, 'nothing would change\n')
    writeFileSync(join(folder, 'hooks/h.yaml'), hook('').replace('id: id', 'id: n'))
    t.like(await hooks(), [{ verb: 'change', name: 'h' }])
    rmSync(join(folder, 'hooks/h.yaml'))
    t.deepEqual(await hooks(), [])
    const pruned = await changesOf(folder, '--prune')
    t.true(pruned.some(({ verb, kind, name }) => verb === 'remove' && kind === 'hook' && name === 'h'))
  },
)
