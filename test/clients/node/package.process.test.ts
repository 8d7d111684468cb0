/** The package as it is published: packed, installed in an empty folder, compiled against and run. */
import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import test, { type ExecutionContext } from 'ava'
import { startService } from '../../support/service.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const run = promisify(execFile)
const root = process.cwd()
const { url, close } = await startService()
test.after.always(close)

const folder = temporaryFolder()
const installed = (async () => {
  mkdirSync(folder, { recursive: true })
  await run(process.execPath, [join(root, 'scripts/clients.js')], { cwd: root })
  await run('npm', ['pack', '--pack-destination', folder], { cwd: join(root, 'clients/node') })
  const [packed] = readdirSync(folder).filter((file) => file.endsWith('.tgz'))
  writeFileSync(join(folder, 'package.json'), '{"name":"program","type":"module","private":true}')
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${packed}`], { cwd: folder })
})()

/** Compiles programs strictly; what the compiler says by program. */
async function compiled(programs: Readonly<Record<string, string>>): Promise<Map<string, string>> {
  await installed
  for (const [name, text] of Object.entries(programs)) writeFileSync(join(folder, `${name}.ts`), text)
  const options = {
    strict: true,
    target: 'es2023',
    module: 'nodenext',
    noEmit: true,
    skipLibCheck: false,
    lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
    types: [],
  }
  const files = Object.keys(programs).map((name) => `${name}.ts`)
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files }))
  const compiler = fileURLToPath(import.meta.resolve('typescript/lib/tsc.js'))
  const said = await run(process.execPath, [compiler, '-p', folder], { cwd: folder }).then(
    () => '',
    (error: { stdout: string }) => error.stdout,
  )
  const found = new Map<string, string>()
  for (const line of said.split('\n')) {
    const [, name] = /^([\w-]+)\.ts\(/.exec(line) ?? []
    if (name !== undefined) found.set(name, `${found.get(name) ?? ''}${line}\n`)
    else if (/error TS/.test(line)) found.set('elsewhere', line)
  }
  return found
}

const beginning = `import { connect, defineSchema, verify, WeirError, type Sent } from 'weir-client'
const weir = connect({ url: 'http://localhost:18080', key: 'k' })
const shop = defineSchema({
  schema: 'shop',
  streams: {
    orders: {
      attributes: {
        customer: 'text',
        price: { type: 'number', stats: ['summary', 'p95'], every: '1m', required: true },
        paid: { type: 'text', values: ['cash', 'card'] },
        pieces: 'integer',
        gift: 'boolean',
        item: { type: 'json', fields: { sku: 'text' } },
      },
      compute: { cents: { type: 'integer', is: 'round(price * 100)' }, dear: 'price > 100' },
    },
  },
})
const orders = weir.of(shop).stream('orders')
`

const right: Readonly<Record<string, string>> = {
  'an event':
    "await orders.send({ price: 3, customer: 'ann', paid: 'cash', pieces: 3n, gift: true, item: { sku: 'a' } })",
  'the required member alone': 'await orders.send({ price: 3 })',
  'a member that is null': 'await orders.send({ price: 3, customer: null })',
  'a time and an id': "await orders.send({ price: 3, _pk: '2026-11-20T00:00:00Z', _id: 'a' })",
  'many from a list':
    'const sent: Sent = await orders.sendMany([{ price: 1 }, { price: 2 }]); sent.refused[0]?.error.toUpperCase()',
  'many from a generator':
    'async function* all() { yield { price: 1 } }\nawait orders.sendMany(all(), { maxBytes: 10, onProgress: ({ accepted }) => accepted + 1 })',
  'lines as they are': 'await orders.sendMany([\'{"price":1}\'])',
  'rows of a stored event':
    'for await (const { price, cents, dear, _pk, _time } of orders.live()) { price + 1; String(cents); String(dear); String(_pk); _time.slice(1) }',
  'rows of a type': "for await (const { n } of weir.sql<{ n: number }>('SELECT 1 AS n')) n + 1",
  'a stream without a definition': "await weir.stream('a', 'b').send({ any: ['thing'] })",
  'a definition in words':
    "await weir.schemas.put(shop, { dry: true, strict: true })\nawait weir.schemas.put('schema: a')",
  'a saved question': "const all = await weir.saved<{ n: number }>('q').rows({ a: 1 }).all(); all[0]?.n.toFixed()",
  'an error by its kind':
    "try { await weir.health() } catch (error) { if (error instanceof WeirError && error.kind === 'late') error.status?.toFixed() }",
  'a table of documents':
    "const hubs = weir.table<{ city: string }>('d', 't'); (await hubs.get('a'))?.city.slice(1); await hubs.put('a', { city: 'x' })",
  'a bucket': "const file: Response = await weir.bucket('b').get('a/b'); await weir.bucket('b').put('a', file.body!)",
  'a training':
    "const training = await weir.models.train({ 'schema-name': 'a', model_name: 'm', algo_type: 'LIN', training_details: { training_source_type: 'STREAM', 'stream-name': 's' } })\nfor await (const { progress } of training) progress?.toFixed()",
  'a webhook':
    "await verify(new Headers(), 'body', 'whsec_')\nawait weir.hooks.verify({ 'webhook-id': 'a' }, new Uint8Array(), 's')",
  'a signal': 'const stop = new AbortController(); await weir.health({ signal: stop.signal })',
  'a bigint on demand': "connect({ bigints: true }).query<{ n: bigint }>('select * from a.b')",
  'a key and a token': "await weir.keys.make({ name: 'a', scopes: ['read'] }); await weir.tokens.make({ saved: 'q' })",
}
const wrong: Readonly<Record<string, string>> = {
  'a text for a number': "await orders.send({ price: '3' })",
  'a member that is not there': 'await orders.send({ price: 3, prize: 4 })',
  'the required member missing': "await orders.send({ customer: 'ann' })",
  'a value that is none of its values': "await orders.send({ price: 3, paid: 'cheque' })",
  'a number for a boolean': 'await orders.send({ price: 3, gift: 1 })',
  'a stream that is not there': "weir.of(shop).stream('oders')",
  'a list with a wrong event': 'await orders.sendMany([{ price: 1 }, { price: true }])',
  'a computed value as a text': 'for await (const { cents } of orders.live()) cents?.toUpperCase()',
  'a kind of error that is none': "if (new WeirError('late', 'x').kind === 'lat') throw 1",
  'an option that is none': 'await orders.sendMany([], { maxByte: 1 })',
}

function everyProgram(programs: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(programs).map(([name, text]) => [name.replaceAll(' ', '-'), `${beginning}${text}\n`]),
  )
}

test('twenty programs compile strictly, and ten that are wrong do not', async (t: ExecutionContext) => {
  t.timeout(170_000)
  const said = await compiled({ ...everyProgram(right), ...everyProgram(wrong) })
  t.is(said.get('elsewhere'), undefined)
  for (const name of Object.keys(right)) t.is(said.get(name.replaceAll(' ', '-')), undefined, name)
  for (const name of Object.keys(wrong)) t.truthy(said.get(name.replaceAll(' ', '-')), name)
})

test('the installed package sends and asks, and its command runs', async (t) => {
  t.timeout(170_000)
  await installed
  writeFileSync(
    join(folder, 'program.js'),
    `import { connect } from 'weir-client'
const weir = connect({ url: '${url}' })
await weir.schemas.put({ schema: 'shop', streams: { orders: { keep: 'forever', attributes: { price: 'number' } } } })
await weir.stream('shop', 'orders').sendMany([{ price: 1 }, { price: 2 }])
console.log(JSON.stringify(await weir.sql('SELECT sum(price) AS s FROM shop.orders').all()))
`,
  )
  t.is((await run(process.execPath, ['program.js'], { cwd: folder })).stdout, '[{"s":3}]\n')
  const asked = await run(
    'npx',
    ['--offline', 'weir', 'sql', 'SELECT count() AS n FROM shop.orders', '--json', '--url', url],
    { cwd: folder },
  )
  t.is(asked.stdout, '{"n":2}\n')
})
