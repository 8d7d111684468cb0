/**
 * No text that a client sends keeps the service from others: each call that takes one gets hostile texts, while another
 * client asks /health/live. A text that takes quadratic time holds the answer up for minutes.
 */
import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import test, { type ExecutionContext } from 'ava'
import { request } from 'undici'
import { prepareGround } from '../../../scripts/fuzz-ground.js'
import { freePort } from '../../../scripts/processes/ports.js'
import { read } from '../../../scripts/processes/run.js'
import { killServices, spawnService } from '../../support/process.ts'
import { type HostileText, hostileTexts } from '../../support/random/hostile-texts.ts'
import { createRandom, type Random } from '../../support/random/random.ts'
import { isTaken, runs, seed } from '../../support/random/seed.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'

test.after.always(killServices)

/** Quadratic work on the texts takes minutes; a loaded machine answers others within a fraction of it. */
const longestSilence_ms = 20_000
/** A request that goes on for longer without keeping others waiting is left. */
const patience_ms = 30_000
const characters = 512 * 1024
const inHeaders = 6 * 1024

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }
type Asked = {
  readonly name: string
  readonly method: string
  readonly path: string
  /** Made for a request that is sent alone: a gate leaves most. */
  readonly body?: () => string
  readonly headers?: Headers | ((body: string) => Headers)
}
type Headers = Readonly<Record<string, string>>

/** Bodies of one call, made of a text, beside those that are made of its example by themselves. */
type Bodies = readonly ((text: string) => Json | string)[]

const sql: Bodies = [
  (text) => ({ sql: `${text}SELECT 1` }),
  (text) => ({ sql: `SELECT ${text} 1` }),
  (text) => ({ sql: `SELECT 1 SETTINGS ${text}` }),
  (text) => ({ sql: 'SELECT throwIf(1, {a:String})', params: { a: text } }),
  (text) => ({ sql: 'SELECT 1', settings: { additional_table_filters: text } }),
]
const statements: Bodies = [
  (text) => ({ sql: `${text} select * from shop.visits` }),
  (text) => ({ sql: `select * from shop.visits where ${text}` }),
  (text) => ({ sql: `select * from shop.visits where country like "${text.replaceAll('"', '')}$%"` }),
  (text) => ({ sql: `select * from shop.visits where price > ${text}` }),
  (text) => ({ sql: `select aggr(price) from shop.visits ${text}` }),
  (text) => ({ sql: `insert into airports values "X" ${text}` }),
]
const patterns: Bodies = [
  (text) => text,
  (text) => `s=>(Person:${text})-[REL]->(P:*)`,
  (text) => `s=>(@a Person:*); RETURN ${text}`,
  (text) => `s=>(Person:{${text}})`,
]
const rows = ['CSV', 'KV', 'SVM', 'JSON', 'TEXT'].map((input_format) => (data: string) => ({
  ...{ 'schema-name': 'shop', model_name: 'kinds', data_type: 2, input_format, data },
}))
const wire: { readonly streams: readonly Json[] } = JSON.parse(read('test/sql/schema/rules-posted.json'))

/** By the call's id in the document. A call with a body that is not here fails the test: its texts are to be thought of. */
const table: Readonly<Record<string, Bodies>> = {
  setState: [],
  postEvents: [
    (text) => text,
    (text) => ({ visitor: text, price: 1 }),
    (text) => ({ _pk: text }),
    (text) => ({ [text]: 1 }),
  ],
  undeleteBucket: [],
  registerSchema: [() => ({ ...wire })],
  replaceSchema: [],
  addStreams: [],
  runQuery: statements,
  usage: [],
  runSql: sql,
  registerNotification: [],
  setNotificationState: [],
  retryDelivery: [],
  createTable: [],
  putRecord: [(text) => ({ _pk: text, doc: {} }), (text) => ({ _pk: 'a', doc: { [text]: text } })],
  replaceRecord: [],
  addIndex: [],
  addNode: [],
  addTriple: [],
  queryGraph: patterns,
  queryStreamGraph: patterns,
  runAlgorithm: [],
  reconcile: [],
  uploadEvents: [],
  putSlices: [],
  getSlices: [],
  putObject: [(text) => text],
  predict: rows,
  forecast: [],
  train: [],
  setVersion: [],
  copyVersion: [],
  createBucket: [],
  removeBucket: [],
  listBuckets: [],
  listObjects: [],
  listObjectsByFlag: [],
  removeObject: [],
  signIn: [],
  makeKey: [],
  makeToken: [],
  saveQuestion: [
    (text) => ({ sql: text }),
    (text) => ({ sql: `SELECT {${text}:String}` }),
    (text) => ({ sql: `SELECT {a:${text}}` }),
    (text) => ({ language: 'weir', sql: `select * from shop.visits where ${text}` }),
    (text) => ({ sql: 'SELECT {a:String}', params: { a: { type: text } } }),
  ],
  runSchedule: [],
  silenceWatch: [
    (text) => ({ until: text, why: text }),
    (text) => ({ until: '2999-01-01', why: 'w', key: { a: text } }),
  ],
  testWatch: [(text) => ({ from: text, to: text })],
  askQuestion: [(text) => ({ country: text }), (text) => ({ [text]: 1 })],
  mcp: [],
  writeLines: [
    (text) => text,
    (text) => `m ${text}`,
    (text) => `m,a=${text} v=${text} ${text}`,
    (text) => `m v="${text}`,
    (text) => `visits price=${text}\n`,
  ],
  segmentMessages: [
    (text) => ({
      writeKey: 'shop.visits',
      event: text,
      timestamp: text,
      messageId: text,
      properties: { [text]: text },
    }),
    (text) => ({ writeKey: text, sentAt: text }),
  ],
  postHogBatch: [
    (text) => ({ api_key: 'shop.visits', sent_at: text, batch: [{ event: text, timestamp: text, properties: text }] }),
    (text) => text,
    (text) => `data=${text}`,
  ],
  postHogCapture: [(text) => ({ api_key: text, event: 'e' })],
  postHogEvent: [(text) => [{ event: text, properties: { token: 'shop.visits', [text]: 1 } }]],
  postHogIngest: [(text) => `data=${text}=`],
  postHogFlags: [],
  postHogDecide: [],
  snowplowEvents: [
    (text) => ({
      data: [{ e: 'ue', aid: 'shop.visits', ue_pr: text, res: text, dtm: text, se_va: text, [text]: text }],
    }),
    (text) => ({ data: [{ e: 'ue', aid: 'shop.visits', ue_px: text }] }),
    (text) => ({ data: [{ e: text, aid: text }] }),
  ],
  putHook: [
    (text) => ({ into: text, verify: { scheme: 'hmac', secret: text, header: text, signed: text, timestamp: text } }),
    (text) => ({
      into: 'shop.visits',
      verify: { scheme: 'github' },
      map: { a: text, [text]: 'a' },
      id: text,
      time: text,
    }),
  ],
  // No broker is asked where the brokers are no addresses.
  putSource: [
    (text) => ({
      kafka: {
        ...{ brokers: [text, `${text}:9092`], topic: text, group: text },
        sasl: { mechanism: text, user: text, password: text },
        tls: { ca: text, cert: `-----BEGIN ${text}`, key: text, servername: text },
      },
      ...{ format: text, registry: { url: text, user: text, password: text }, into: text, from: text },
    }),
    (text) => ({
      kafka: { brokers: text, topic: 'clicks' },
      registry: { url: `http://${text}` },
      ...{ format: 'Avro', into: 'shop.visits', map: { page: text, [text]: `$headers.${text}` }, time: `$${text}` },
    }),
  ],
  startImport: [
    (text) => ({ id: text, from: { bucket: text, prefix: text }, format: text, into: text }),
    (text) => ({
      from: { bucket: 'flights', key: 'visits' },
      ...{ format: 'NDJSON', into: 'shop.visits', map: { page: text, [text]: 'page' }, time: text },
    }),
  ],
  deliver: [
    (text) => text,
    (text) => ({ id: text, created: text, visitor: text }),
    (text) => [{ [text]: 1 }, { price: text }],
    (text) => `payload=${text}`,
    (text) => `${text}=1&payload[${text}]`,
  ],
}

type Operation = {
  readonly operationId: string
  readonly parameters?: readonly { readonly name?: string; readonly in?: string }[]
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly example?: Json; readonly schema?: Schema }>>
  }
}
type Schema = { readonly $ref?: string; readonly properties?: Readonly<Record<string, unknown>> }
type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

const ground: Readonly<Record<string, string>> = {
  ...{ schema: 'shop', stream: 'visits', database: 'mydb', table: 'airports', graph: 'films', bucket: 'flights' },
  ...{
    saved: 'of_country',
    message: 'track',
    hook: 'of_visits',
    source: 'of_visits',
    switch: 'ON',
    import: 'of_visits',
    key: 'visits',
    model: 'kinds',
    type: '2',
    flag: '1',
    algorithm: 'pagerank',
  },
}
const onGround = (path: string): string => path.replace(/\{(\w+)\}/g, (_, name: string) => ground[name] ?? 'x')

/** The value with one of its leaves or lists in another's place: all places, one after the other. */
function* replaced(value: Json, others: readonly Json[]): Generator<Json> {
  yield* others
  if (Array.isArray(value)) {
    for (const [i, each] of value.entries())
      for (const other of replaced(each, others)) yield value.map((own: Json, j) => (i === j ? other : own))
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, each] of Object.entries(value))
      for (const other of replaced(each, others)) yield { ...value, [name]: other }
  }
}

/** A marker in a body that stands for the text, so that bodies are made once and small. */
const mark = 'HOSTILE'
const list = 'NULLS'
const nulls = `[${'null,'.repeat(200_000)}null]`

const filled = (body: Json | string, text: string): string =>
  (typeof body === 'string' ? body.replaceAll(mark, () => text) : JSON.stringify(body))
    .replaceAll(`"${list}"`, () => nulls)
    .replaceAll(mark, () => JSON.stringify(text).slice(1, -1))

/** A body round the place where the text stands. */
function shown(body: Json | string): string {
  const text = JSON.stringify(body)
  const at = Math.max(text.indexOf(mark), text.indexOf(list))
  return text.slice(Math.max(0, at - 100), at + 40)
}

/** The bodies of a call: those of the table, and its example with one place after the other taken by a text, or by a long list. */
function bodiesOf({ operationId, requestBody }: Operation, { components }: Document): readonly (Json | string)[] {
  const own = (table[operationId] ?? []).map((make) => make(mark))
  const [content] = Object.values(requestBody?.content ?? {})
  const schema = content?.schema?.$ref
    ? components.schemas[content.schema.$ref.split('/').at(-1) ?? '']
    : content?.schema
  const example = typeof content?.example === 'object' && content.example !== null ? content.example : {}
  const members = Object.keys(schema?.properties ?? {}).flatMap((name) =>
    [mark, list].map((other) => ({ ...example, [name]: other })),
  )
  const whole = operationId === 'registerSchema' ? { ...wire } : example
  return [...own, ...members, ...replaced(whole, [mark, list]), mark]
}

/** Of a body that the parsers behind the signature read. */
const signatureOf = (body: string) => ({
  'x-hub-signature-256': `sha256=${createHmac('sha256', 'a-secret-of-github').update(body).digest('hex')}`,
})

function* bodyRequests(
  document: Document,
  random: Random,
  picked: (kind: string) => readonly HostileText[],
): Generator<Asked> {
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(methods)) {
      if (operation.requestBody === undefined) continue
      const { operationId } = operation
      const dry = [
        'registerSchema',
        'replaceSchema',
        'addStreams',
        'reconcile',
        'removeBucket',
        'saveQuestion',
      ].includes(operationId)
        ? '?dry=1'
        : ''
      const isText = Object.keys(operation.requestBody.content).every((type) => type === 'text/plain')
      const type = isText ? 'text/plain' : operationId === 'putObject' ? 'application/octet-stream' : 'application/json'
      const bodies = bodiesOf(operation, document)
      const own = table[operationId]?.length ?? 0
      for (const [i, body] of bodies.entries())
        for (const { name, text } of picked(i < own ? 'statement' : 'member')) {
          if (i >= own && !random.chance(runs(0.5, 1))) continue
          const isForm = operationId === 'deliver' && typeof body === 'string' && body !== mark
          yield {
            name: `${operationId}, body ${i}: ${shown(body)}, ${name}`,
            method: method.toUpperCase(),
            path: onGround(path) + dry,
            body: () => filled(body, text(characters)),
            headers: (sent) => ({
              'content-type': isForm ? 'application/x-www-form-urlencoded' : type,
              ...(operationId === 'deliver' && signatureOf(sent)),
            }),
          }
        }
    }
}

const textHeaders = [
  'accept-encoding',
  'authorization',
  'cookie',
  'traceparent',
  'if-none-match',
  'range',
  'content-type',
  'accept',
  'forwarded',
  'idempotency-key',
]

function* addressRequests(document: Document, picked: () => readonly HostileText[]): Generator<Asked> {
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, { operationId, parameters = [] }] of Object.entries(methods)) {
      if (['takeBackup', 'followEvents', 'followQuestion'].includes(operationId)) continue
      for (const { name: parameter, in: place } of parameters) {
        if (parameter === undefined) continue
        for (const { name, text } of picked()) {
          const value = text(inHeaders)
          const encoded = encodeURIComponent(value.toWellFormed())
            .slice(0, inHeaders)
            .replace(/%[^%]?$/, '')
          const asked = { name: `${operationId}, ${parameter}, ${name}`, method: method.toUpperCase() }
          if (place === 'path') yield { ...asked, path: onGround(path.replace(`{${parameter}}`, () => encoded)) }
          else if (place === 'query') yield { ...asked, path: `${onGround(path)}?${parameter}=${encoded}` }
        }
      }
    }
  for (const header of textHeaders)
    for (const { name, text } of picked()) {
      const value =
        text(inHeaders)
          .replace(/[^\x20-\x7e]/g, ' ')
          .trim() || 'a'
      yield { name: `${header}, ${name}`, method: 'GET', path: '/stream/list', headers: { [header]: value } }
      yield {
        name: `${header} of SQL, ${name}`,
        method: 'POST',
        path: '/sql',
        body: () => '{"sql":"SELECT 1"}',
        headers: { [header]: value },
      }
    }
}

/** Statements of the analysts' port: as the body, as a parameter, and in forms. */
function* analystsRequests(picked: () => readonly HostileText[]): Generator<Asked> {
  for (const make of sql) {
    for (const { name, text } of picked()) {
      const statement = () => {
        const body = make(text(characters))
        return String(typeof body === 'object' && body !== null && 'sql' in body ? body.sql : '')
      }
      yield { name: `analysts' port, ${name}`, method: 'POST', path: '/', body: statement }
    }
  }
  for (const { name, text } of picked()) {
    const part = (value: string) =>
      `--b\r\ncontent-disposition: form-data; name="query"${value}\r\n\r\nSELECT 1\r\n--b--\r\n`
    const headers = { 'content-type': 'multipart/form-data; boundary=b' }
    yield { name: `form, ${name}`, method: 'POST', path: '/', body: () => part(text(characters)), headers }
    yield {
      name: `parts, ${name}`,
      method: 'POST',
      path: '/',
      body: () => text(characters).replaceAll(',', '--b\r\n'),
      headers,
    }
  }
}

type Tool = { readonly name: string; readonly inputSchema: { readonly properties?: Readonly<Record<string, unknown>> } }

function* toolRequests(tools: readonly Tool[], picked: () => readonly HostileText[]): Generator<Asked> {
  const usual: Readonly<Record<string, Json>> = {
    ...ground,
    data: '1,2',
    sql: 'SELECT 1',
    query: 's=>(P:*)',
    events: [{}],
    doc: {},
  }
  const messageOf = (name: string, given: Json): string =>
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } })
  for (const { name: tool, inputSchema } of tools) {
    const members = Object.keys(inputSchema.properties ?? {})
    const given = Object.fromEntries(
      members.flatMap((name) => (usual[name] === undefined ? [] : [[name, usual[name]]])),
    )
    for (const member of members)
      for (const { name, text } of picked())
        yield {
          name: `tool ${tool}, ${member}, ${name}`,
          method: 'POST',
          path: '/mcp',
          body: () => messageOf(tool, { ...given, [member]: text(characters) }),
          headers: { 'content-type': 'application/json' },
        }
  }
  const columns = Array.from({ length: 5_000 }, (_, i) => `number a${i}`).join(', ')
  const wide = `SELECT ${columns} FROM numbers(200) FORMAT JSONColumns`
  yield {
    name: 'an answer of many lists',
    method: 'POST',
    path: '/mcp',
    body: () => messageOf('sql', { sql: wide }),
    headers: { 'content-type': 'application/json' },
  }
}

/** Sends requests one by one while another client asks whether the service lives. */
async function sendAll(t: ExecutionContext, url: string, live: string, asked: Iterable<Asked>): Promise<number> {
  let count = 0
  let index = 0
  for (const { name, method, path, body: make, headers: given = {} } of asked) {
    // Neighbours are texts of one place: a gate takes some of each.
    if (!isTaken(index++, 4)) continue
    count++
    const body = make?.()
    const headers = typeof given === 'function' ? given(body ?? '') : given
    const left = new AbortController()
    const answered = request(new URL(path, url), {
      method: method as 'GET',
      signal: left.signal,
      headers,
      ...(body !== undefined && { body }),
    })
      .then(async (answer) => {
        await answer.body.dump()
        return answer.statusCode
      })
      // A service may close the connection of a body that it refuses.
      .catch(() => 0)
    const leaving = setTimeout(() => left.abort(), patience_ms)
    let isDone = false
    const done = answered.then((status) => {
      isDone = true
      return status
    })
    do {
      const began = performance.now()
      const isAlive = await request(new URL('/health/live', live), { signal: AbortSignal.timeout(longestSilence_ms) })
        .then(async (answer) => {
          await answer.body.dump()
          return answer.statusCode === 200
        })
        .catch(() => false)
      if (!isAlive) {
        clearTimeout(leaving)
        t.fail(`${name}: /health/live was not answered for ${Math.round(performance.now() - began)} ms`)
        return count
      }
      await Promise.race([done, sleep(50)])
    } while (!isDone)
    clearTimeout(leaving)
    const status = await done
    if (status >= 500 && status !== 503 && status !== 504) t.fail(`${name}: status ${status}`)
  }
  return count
}

test('no text that a client sends keeps the service from answering others', async (t) => {
  t.timeout(900_000)
  t.log(`WEIR_SEED=${seed}`)
  const random = createRandom(seed)
  const port = await freePort()
  const service = await spawnService({
    ...{ DATA_DIR: temporaryFolder(), CLICKHOUSE_HTTP_PORT: String(port) },
    MAX_QUERY_S: '5',
  })
  await prepareGround(service.url)
  const { client } = service
  await until('a model', async () => (await client.get('/ml/shop/kinds/status')).body?.train_req_state === 25, 120_000)
  const document: Document = JSON.parse((await client.get('/openapi.json')).text)

  const withBody = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).flatMap(({ operationId, requestBody }) => (requestBody === undefined ? [] : [operationId])),
  )
  t.deepEqual(Object.keys(table).toSorted(), withBody.toSorted(), 'each call that takes a body has its texts here')

  const pick = (count: number) => (): readonly HostileText[] =>
    runs(0, 1) === 1 ? hostileTexts : Array.from({ length: count }, () => random.pick(hostileTexts))
  const { result } = (await client.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' })).body
  const analysts = `http://127.0.0.1:${port}`
  const counts = [
    await sendAll(
      t,
      service.url,
      service.url,
      bodyRequests(document, random, (kind) => pick(kind === 'statement' ? 6 : 1)()),
    ),
    await sendAll(t, service.url, service.url, addressRequests(document, pick(1))),
    await sendAll(t, service.url, service.url, toolRequests(result.tools, pick(2))),
    await sendAll(t, analysts, service.url, analystsRequests(pick(6))),
  ]
  t.log(`${counts.join(' + ')} requests`)
  t.is(service.child.exitCode, null)
  await service.end('SIGKILL')
})
