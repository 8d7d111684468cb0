/** The command `weir` beside a service: what it prints, and how it ends. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import test, { type ExecutionContext } from 'ava'
import { freePort } from '../../../scripts/processes/ports.js'
import { programOf } from '../../support/program.ts'
import { startService } from '../../support/service.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'

const { url, client, close } = await startService()
test.after.always(close)
const folder = temporaryFolder()
const profiles = join(folder, 'config/profiles.json')

function started(args: readonly string[], environment: Readonly<Record<string, string>> = {}): ChildProcess {
  return spawn(process.execPath, [...programOf('clients/node/cli/main.ts'), ...args], {
    env: { PATH: process.env.PATH, HOME: folder, WEIR_URL: url, WEIR_PROFILES: profiles, ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
}

async function weir(args: readonly string[], { input = '', ...environment }: Readonly<Record<string, string>> = {}) {
  const child = started(args, environment)
  let [said, told] = ['', '']
  child.stdout?.on('data', (part: Buffer) => {
    said += part
  })
  child.stderr?.on('data', (part: Buffer) => {
    told += part
  })
  child.stdin?.end(input)
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, said, told }
}

const file = (name: string, content: string | Buffer): string => {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}

test.before(async () => {
  mkdirSync(folder, { recursive: true })
  await client.send('POST', '/stream', {
    schema: 'shop',
    streams: {
      orders: { keep: 'forever', attributes: { customer: 'text', price: { type: 'number', stats: ['summary'] } } },
    },
  })
})

test('send tells how many came, names the lines that were refused, and ends with 1', async (t) => {
  const good = file('good.ndjson', '{"customer":"sent","price":1}\n\n{"customer":"sent","price":2}')
  t.like(await weir(['send', 'shop.orders', good]), { code: 0, told: '' })
  const packed = file('good.ndjson.gz', gzipSync('{"customer":"sent","price":3}\n'))
  t.like(await weir(['send', 'shop.orders', packed]), { code: 0 })
  const bad = await weir(['send', 'shop.orders', '-'], { input: '{"customer":"sent","price":4}\n\n{"price":"x"}\n\n' })
  t.is(bad.code, 1)
  t.regex(bad.said, /^1 events sent to shop\.orders in /)
  t.regex(bad.told, /^line 3: price: expected a number .*\nweir: 1 lines were refused\n$/)
  const { said } = await weir([
    'sql',
    "SELECT count() AS n, sum(price) AS s FROM shop.orders WHERE customer = 'sent'",
    '--json',
  ])
  t.is(said, '{"n":4,"s":10}\n')
})

test('send tells what became of lines while its pipe gives no more and does not end', async (t) => {
  t.timeout(60_000)
  const child = started(['send', 'shop.orders', '-'])
  t.teardown(() => child.kill('SIGKILL'))
  const told = once(child.stderr ?? child, 'data')
  child.stdin?.write('{"customer":"piped","price":1}\n{"price":"x"}\n')
  t.regex(String((await told)[0]), /^line 2: price: expected a number/)
  child.stdin?.end()
  t.deepEqual((await once(child, 'close'))[0], 1)

  const refused = started(['send', 'shop.nowhere', '-'])
  t.teardown(() => refused.kill('SIGKILL'))
  let words = ''
  refused.stderr?.on('data', (part: Buffer) => {
    words += part
  })
  refused.stdin?.write('{"price":1}\n')
  t.is((await once(refused, 'close'))[0], 1)
  t.regex(words, /^weir: .*nowhere/)
})

test('send numbers lines over all batches of a large file, empty ones too; a mark of the byte order is none of its text', async (t) => {
  const lines = Array.from(
    { length: 120_000 },
    (_, n) => `{"customer":"large","price":${n},"note":"${'x'.repeat(60)}"}`,
  )
  lines[100_000] = ''
  lines[110_000] = '{"customer":"large","price":"x"}'
  const { code, told } = await weir(['send', 'shop.orders', file('large.ndjson', `\u{feff}${lines.join('\n')}`)])
  t.is(code, 1)
  t.regex(told, /^line 110001: price: expected a number .*\nweir: 1 lines were refused\n$/)
  const asked = ['sql', "SELECT count() AS n, max(price) AS most FROM shop.orders WHERE customer = 'large'", '--json']
  t.is((await weir(asked)).said, '{"n":119998,"most":119999}\n')
})

test('a packed file that cannot be unpacked is one line', async (t) => {
  for (const [content, why] of [
    [Buffer.from('{"customer":"plain","price":1}\n'), /incorrect header check/],
    [gzipSync('{"customer":"cut","price":1}\n').subarray(0, 25), /unexpected end of file/],
  ] as const) {
    const { code, told } = await weir(['send', 'shop.orders', file('broken.ndjson.gz', content)])
    t.is(code, 1)
    t.regex(told, /^weir: \S+broken\.ndjson\.gz cannot be unpacked: .*\n$/)
    t.regex(told, why)
  }
  mkdirSync(join(folder, 'folder.gz'), { recursive: true })
  const { code, told } = await weir(['send', 'shop.orders', join(folder, 'folder.gz')])
  t.is(code, 1)
  t.regex(told, /^weir: EISDIR.*\n$/)
})

/** A server that gives these answers one after the other, the last one again, and notes the key that came with each request. */
async function answering(t: ExecutionContext, answers: ((response: ServerResponse) => void)[]) {
  const keys: (string | undefined)[] = []
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      keys.push(request.headers['x-api-key']?.toString())
      answers[Math.min(keys.length, answers.length) - 1]?.(response)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return { place: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, keys }
}

test('send ends where nothing answers, and says for what it waits once a batch was taken', async (t) => {
  t.timeout(60_000)
  const away = await weir(['send', 'shop.orders', '-', '--url', `http://127.0.0.1:${await freePort()}`], {
    input: '{"price":1}\n',
  })
  t.is(away.code, 3)
  t.regex(away.told, /^weir: no Weir answers at http:\/\/127\.0\.0\.1:\d+: nothing listens there/)

  const taken = (response: ServerResponse): void => {
    response.setHeader('content-type', 'application/json')
    response.end('{"errcode":0,"accepted":1,"rejected":0,"errors":[]}')
  }
  const cut = (response: ServerResponse): void => void response.destroy()
  const { place, keys } = await answering(t, [taken, cut, cut, taken])
  const child = started(['send', 'shop.orders', '-', '--url', place])
  t.teardown(() => child.kill('SIGKILL'))
  let told = ''
  child.stderr?.on('data', (part: Buffer) => {
    told += part
  })
  child.stdin?.write('{"price":1}\n')
  await until('the first batch is taken', () => keys.length === 1)
  child.stdin?.end('{"price":2}\n')
  t.is((await once(child, 'close'))[0], 0)
  t.is(told, `waits to send on: no Weir answers at ${place}: the connection was cut\n`)
})

test('send waits for a service that has answered, were it only that it takes nothing yet', async (t) => {
  t.timeout(60_000)
  const starting = (response: ServerResponse): void => {
    // Longer than the command waits for a service that has never answered.
    response.writeHead(503, { 'content-type': 'application/json', 'retry-after': '6' })
    response.end('{"errcode":-6,"error":["Weir starts"]}')
  }
  const cut = (response: ServerResponse): void => void response.destroy()
  const taken = (response: ServerResponse): void => {
    response.setHeader('content-type', 'application/json')
    response.end('{"errcode":0,"accepted":1,"rejected":0,"errors":[]}')
  }
  const { place, keys } = await answering(t, [starting, cut, taken])
  const { code, said, told } = await weir(['send', 'shop.orders', '-', '--url', place], { input: '{"price":1}\n' })
  t.deepEqual({ code, told, tries: keys.length }, { code: 0, told: 'waits to send on: Weir starts\n', tries: 3 })
  t.regex(said, /^1 events sent to shop\.orders/)
})

test('members that later rows alone have are named where there is no column for them', async (t) => {
  const rows = `${'{"a":1}\n'.repeat(10_000)}{"a":1,"late":2}\n{"a":1,"later":3}\n`
  const { place } = await answering(t, [
    (response) => response.writeHead(200, { 'content-type': 'application/x-ndjson' }).end(rows),
  ])
  for (const [form, first] of [
    [['--csv'], '10000'],
    [[], '200'],
  ] as const) {
    const { code, said, told } = await weir(['query', 'select * from shop.orders', ...form, '--url', place])
    t.is(code, 1)
    t.is(said.split('\n').filter((line) => /^ *1$/.test(line)).length, 10_002)
    t.true(
      told.endsWith(
        `weir: left out: late, later, since none of the first ${first} rows has it; --json has all members\n`,
      ),
      told,
    )
  }
  t.like(await weir(['query', 'select * from shop.orders', '--json', '--url', place]), {
    code: 0,
    said: rows,
    told: '',
  })
})

test('rows that came before an answer breaks off are printed before the error', async (t) => {
  const rows = '{"a":1}\n{"a":2}\n{"errcode":-6,"error":["gone"]}\n'
  const { place } = await answering(t, [
    (response) => response.writeHead(200, { 'content-type': 'application/x-ndjson' }).end(rows),
  ])
  for (const [form, said] of [
    ['--csv', 'a\n1\n2\n'],
    ['--json', '{"a":1}\n{"a":2}\n'],
  ] as const)
    t.deepEqual(await weir(['query', 'select * from shop.orders', form, '--url', place]), {
      code: 1,
      said,
      told: 'weir: gone\n',
    })
})

test('a FORMAT of one row a line is read, Null has no rows, and any other is refused by name', async (t) => {
  for (const format of ['JSONL', 'JSONLines', 'NDJSON', 'JSONEachRow'])
    t.like(await weir(['sql', `SELECT 1 AS a FORMAT ${format}`, '--json']), { code: 0, said: '{"a":1}\n' })
  t.deepEqual(await weir(['sql', 'SELECT 1 AS a FORMAT Null', '--json']), { code: 0, said: '', told: '' })
  for (const format of ['CSV', 'JSON', 'Native'])
    t.deepEqual(await weir(['sql', `SELECT 1 AS a FORMAT ${format}`, '--json']), {
      code: 1,
      said: '',
      told: `weir: rows cannot be read of FORMAT ${format}: leave the FORMAT out\n`,
    })
})

test('notes beside rows are told', async (t) => {
  const { place } = await answering(t, [
    (response) =>
      response.writeHead(200, { 'content-type': 'application/x-ndjson', 'x-weir-note': 'so and so' }).end('{"a":1}\n'),
  ])
  for (const command of [
    ['query', 'select * from shop.orders'],
    ['sql', 'SELECT 1 AS a'],
    ['saved', 'least'],
  ])
    t.like(await weir([...command, '--json', '--url', place]), {
      code: 0,
      said: '{"a":1}\n',
      told: 'note: so and so\n',
    })
})

test('the key of a profile or of the environment goes to the url beside it alone', async (t) => {
  const json = (response: ServerResponse): void => {
    response.setHeader('content-type', 'application/json')
    response.end('{"errcode":0}')
  }
  const [own, other] = [await answering(t, [json]), await answering(t, [json])]
  const kept = {
    WEIR_PROFILES: file(
      'kept.json',
      JSON.stringify({ default: { url: own.place, key: 'own' }, bare: { url: own.place } }),
    ),
  }
  const environment = { ...kept, WEIR_URL: '' }
  const cases: [args: string[], environment: Record<string, string>, place: typeof own, key: string | undefined][] = [
    [[], environment, own, 'own'],
    [['--url', `${own.place}/`], environment, own, 'own'],
    [['--url', other.place], environment, other, undefined],
    [[], { ...kept, WEIR_URL: other.place }, other, undefined],
    [[], { ...kept, WEIR_URL: other.place, WEIR_KEY: 'there' }, other, 'there'],
    [[], { ...environment, WEIR_KEY: 'mine' }, own, 'mine'],
    [['--profile', 'default'], { ...kept, WEIR_URL: other.place, WEIR_KEY: 'there' }, own, 'own'],
    [['--profile', 'bare'], { ...kept, WEIR_URL: other.place, WEIR_KEY: 'there' }, own, undefined],
    [['--profile', 'bare'], { ...environment, WEIR_KEY: 'mine' }, own, 'mine'],
    [['--url', other.place], { ...kept, WEIR_URL: own.place, WEIR_KEY: 'mine' }, other, undefined],
    [['--url', other.place, '--key', 'given'], environment, other, 'given'],
    [['--url', other.place], { ...environment, WEIR_KEY: 'mine' }, other, 'mine'],
  ]
  for (const [args, environment, { keys }, key] of cases) {
    const before = keys.length
    t.like(await weir(['status', ...args], environment), { code: 0 })
    t.deepEqual(keys.slice(before), [key, key], JSON.stringify([args, environment]))
  }
})

test('import brings files of a bucket, names the rows that were refused, and ends with 1; the same name goes on', async (t) => {
  await client.send('POST', '/brs/bucket', { bucket_name: 'history' })
  const csv = 'Who,Price\nimported,1\nimported,x\nimported,2\n'
  await fetch(`${url}/brs/history/object/2025/a.csv`, { method: 'PUT', body: csv })
  const mapped = ['import', 'shop.orders', 'history/2025/a.csv', '-m', 'customer=Who', '-m', 'price=Price', '--id', 'a']
  const first = await weir(mapped)
  t.is(first.code, 1)
  t.is(first.said, '2 rows of 1 file came to shop.orders\n')
  t.regex(first.told, /^2025\/a\.csv, row 3: price: .*\nweir: 1 row was refused\n$/)
  t.like(await weir(mapped), { code: 1, said: first.said })
  const { said } = await weir(['imports', '--json'])
  t.is(said, '{"id":"a","into":"shop.orders","state":"done","progress":1,"accepted":2,"rejected":1}\n')
  const wrong = await weir(['import', 'shop.orders', 'history/2025/a.txt'])
  t.is(wrong.code, 2)
  t.regex(wrong.told, /the ending of 'history\/2025\/a\.txt' names no format/)
  t.is((await weir(['import', 'shop.orders', 'history'])).code, 2)
  const gone = await weir(['import', 'shop.orders', 'history/none.csv'])
  t.is(gone.code, 1)
  t.regex(gone.told, /none\.csv/)
})

test('hooks lists the doors, and the deliveries to one', async (t) => {
  const door = { into: 'shop.orders', verify: { scheme: 'github', secret: 'a-secret-of-a-test' } }
  await client.send('PUT', '/hook/sales', door)
  t.regex((await weir(['hooks', '--csv'])).said, /^sales,shop\.orders,/m)
  await client.send('POST', '/hook/sales', { price: 1 })
  t.regex((await weir(['hooks', 'sales', '--json'])).said, /^\{"ts":\d+,"verdict":"unsigned"/)
})

test('rows are a table, JSON a line, or CSV', async (t) => {
  const sql =
    "SELECT 1 AS n, 'a,\"b\"\nc' AS text, NULL AS none UNION ALL SELECT 20 AS n, 'x' AS text, 'y' AS none ORDER BY n"
  t.deepEqual(await weir(['sql', sql]), {
    code: 0,
    said: ' n  text     none\n──  ───────  ────\n 1  a,"b"⏎c\n20  x        y\n',
    told: '2 rows\n',
  })
  t.is((await weir(['sql', sql, '--csv'])).said, 'n,text,none\n1,"a,""b""\nc",\n20,x,y\n')
  t.is(
    (await weir(['sql', 'SELECT {n:Int64} AS n', '-p', 'n=9223372036854775807', '--json'])).said,
    '{"n":9223372036854775807}\n',
  )
  t.is((await weir(['sql', '-', '--json'], { input: 'SELECT 1 AS n' })).said, '{"n":1}\n')
})

test('a reader that has enough ends the command without a word', async (t) => {
  const child = started(['sql', 'SELECT number FROM numbers(1000000)', '--json'])
  let told = ''
  child.stderr?.on('data', (part: Buffer) => {
    told += part
  })
  await new Promise<void>((resolve) => child.stdout?.once('data', () => resolve()))
  child.stdout?.destroy()
  t.is(await new Promise((resolve) => child.once('exit', resolve)), 0)
  t.is(told, '')
})

test('saved questions take their values as texts', async (t) => {
  await client.send('PUT', '/saved/least', { sql: 'SELECT {p:Float64} + 1 AS n, {t:String} AS t' })
  t.is((await weir(['saved', 'least', 'p=3', 't=a b&c', '--json'])).said, '{"n":4,"t":"a b&c"}\n')
  t.regex((await weir(['saved', '--json'])).said, /"name":"least"/)
  const missing = await weir(['saved', 'least'])
  t.is(missing.code, 1)
  t.regex(missing.told, /^weir: p is missing/)
})

test('a question of the own language, a refusal with its caret, and a change', async (t) => {
  t.is(
    (await weir(['query', 'select count(*) from shop.orders where customer = "none"', '--json'])).said,
    '{"count":0}\n',
  )
  const refused = await weir(['query', 'select * from shop.oders'])
  t.is(refused.code, 1)
  t.regex(refused.told, /oders/)
  t.regex((await weir(['query', 'delete from shop.orders where customer = "none"'])).said, /^retval +0\n$/)
})

test('tail shows events as they come, and ends by Ctrl-C', async (t) => {
  const child = started(['tail', 'shop.orders', '--where', 'customer = "tailed"'])
  t.teardown(() => child.kill('SIGKILL'))
  let said = ''
  child.stdout?.on('data', (part: Buffer) => {
    said += part
  })
  await until(
    'an event is shown',
    async () => {
      await client.send('POST', '/stream/shop/orders', { customer: 'tailed', price: 7 })
      return said.includes('"price":7')
    },
    20_000,
  )
  child.kill('SIGINT')
  t.is(await new Promise((resolve) => child.once('exit', resolve)), 0)
})

test('a command that is wrong ends with 2, a service that is away with 3', async (t) => {
  t.is((await weir(['nonsense'])).code, 2)
  t.is((await weir(['send', 'orders', 'x'])).code, 2)
  t.is((await weir(['send', 'shop.orders', join(folder, 'nowhere')])).code, 2)
  t.is((await weir(['saved', 'least', 'p'])).code, 2)
  const away = await weir(['status', '--url', 'http://127.0.0.1:9'])
  t.is(away.code, 3)
  t.regex(away.told, /^weir: no Weir answers at http:\/\/127\.0\.0\.1:9/)
  t.is((await weir(['status'])).code, 0)
  t.is((await weir(['--help'])).code, 0)
})

test('a profile is a url and a key by name, in a file that its owner alone reads', async (t) => {
  t.is((await weir(['profile', 'set', 'here', '--url', url, '--key', 'secret'])).code, 0)
  t.is(statSync(profiles).mode & 0o777, 0o600)
  t.notRegex((await weir(['profile'])).said, /secret/)
  t.is((await weir(['status', '--profile', 'here'], { WEIR_URL: '' })).code, 0)
  const none = await weir(['status', '--profile', 'nowhere'])
  t.is(none.code, 2)
  t.regex(none.told, /there is no profile nowhere .*\(there: here\)/)
  await weir(['profile', 'remove', 'here'])
  t.deepEqual(JSON.parse(readFileSync(profiles, 'utf8')), {})
})

test('a backup is whole or not there, and a file that is there stays', async (t) => {
  const copy = join(folder, 'copy.tar')
  t.like(await weir(['backup', copy]), { code: 0, said: `${copy}\n` })
  t.true(statSync(copy).size > 10_000)
  t.is(statSync(copy).mode & 0o777, 0o600)
  const size = statSync(copy).size
  const again = await weir(['backup', copy])
  t.deepEqual([again.code, statSync(copy).size], [2, size])
  t.regex(again.told, /copy\.tar is there, and stays as it is/)

  // A service whose answer breaks off, one that does not answer, and one that asks for a key.
  const answers: ((response: ServerResponse) => void)[] = [
    (response) => {
      response.writeHead(200, { 'content-length': '100000' })
      response.write('half', () => response.destroy())
    },
    (response) => response.destroy(),
    (response) => response.writeHead(401).end('{"errcode":-12,"error":["send a key in x-api-key"]}'),
  ]
  const server = createServer((_, response) => answers[0]?.(response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const place = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const lost = join(folder, 'lost')
  mkdirSync(lost)
  for (const code of [3, 3, 4]) {
    const broken = await weir(['backup', join(lost, 'copy.tar')], { WEIR_URL: place })
    t.is(broken.code, code, broken.told)
    t.deepEqual(readdirSync(lost), [])
    answers.shift()
  }
  t.is((await weir(['backup', join(folder, 'nowhere/copy.tar')])).code, 1)
})

test('types are checked against the file that has them', async (t) => {
  const schema = file('checked.yaml', 'schema: c\nstreams: { s: { attributes: { a: text } } }\n')
  const out = join(folder, 'checked.ts')
  t.is((await weir(['types', schema, '--check'])).code, 2)
  t.is((await weir(['types', schema, '-o', out, '--check'])).code, 1)
  t.is((await weir(['types', schema, '-o', out])).code, 0)
  t.is((await weir(['types', schema, '-o', out, '--check'])).code, 0)
  writeFileSync(schema, 'schema: c\nstreams: { s: { attributes: { a: number } } }\n')
  const stale = await weir(['types', schema, '-o', out, '--check'])
  t.is(stale.code, 1)
  t.regex(stale.told, /checked\.ts is not made of these schemas as they are: weir types -o /)
})

test('types of a schema in words', async (t) => {
  const schema = file(
    'shop.yaml',
    'schema: shop\nstreams:\n  web orders:\n    attributes:\n      paid: { type: text, values: [cash, card] }\n      price: { type: number, required: true }\n      "a.b": integer\n    compute:\n      cents: { type: integer, is: "round(price * 100)" }\n',
  )
  const { said } = await weir(['types', schema])
  t.is(
    said,
    `// Made by \`weir types\`. Changes to this file are lost.

export type ShopWebOrdersEvent = {
  readonly "paid"?: "cash" | "card" | null
  readonly "price": number
  readonly "a.b"?: number | bigint | null
  readonly _pk?: number | bigint | string
  readonly _id?: string
}
export type ShopWebOrdersRow = Omit<ShopWebOrdersEvent, '_pk' | '_id'> & {
  readonly "cents"?: number | bigint | null
  readonly _pk: number | bigint
  readonly _time: string
  readonly _v: number
}

`,
  )
})

test('the completion of bash completes the commands', async (t) => {
  const script = file('completion.sh', (await weir(['completion', 'bash'])).said)
  const ask = `source ${script}; COMP_WORDS=(weir se); COMP_CWORD=1; _weir; echo "\${COMPREPLY[@]}"`
  const child = spawn('bash', ['-c', ask], { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  child.stdout.on('data', (part: Buffer) => {
    said += part
  })
  await new Promise((resolve) => child.once('close', resolve))
  t.is(said, 'send\n')
  t.is((await weir(['completion', 'fish'])).code, 2)
})
