/** A value of an event is the same wherever it is read: one plain oracle says what it is, and every reader is asked. */
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { compileComputed, type Predict } from '../../../activities/events/computed/compile.ts'
import { compileEncoder } from '../../../activities/events/encode-event.ts'
import { compileKey } from '../../../activities/events/key-of.ts'
import { compileLimits } from '../../../activities/events/limits.ts'
import { createPivots } from '../../../activities/events/pivots.ts'
import { compileReferences } from '../../../activities/rules/references/compile.ts'
import { createOutside } from '../../../activities/rules/references/outside.ts'
import { compileStep } from '../../../activities/rules/step/compile.ts'
import { compileCondition } from '../../../activities/rules/step/condition.ts'
import { currentEvent } from '../../../activities/rules/step/current-event.ts'
import { compilePartitionKeys } from '../../../activities/rules/tasks/partition-keys.ts'
import { type Event, isObject, type Json, parseJson, writeJson } from '../../../base/json.ts'
import { Refusal } from '../../../base/refusal.ts'
import { createEmbeddedClickHouse } from '../../../infra/clickhouse/embedded/client.ts'
import { migrate } from '../../../infra/clickhouse/migrate.ts'
import type { RuleState } from '../../../infra/memory/state.ts'
import type { Condition, Literal } from '../../../sql/query/ast.ts'
import { compileArrived } from '../../../sql/query/compile/rows.ts'
import { noColumns } from '../../../sql/query/compile/source.ts'
import { createSchema } from '../../../sql/schema/ddl/schema.ts'
import { decodeSchema } from '../../../sql/schema/decode.ts'
import type { Schema, Stream } from '../../../sql/schema/schema.ts'
import { createPlainState } from '../../support/plain-state.ts'
import type { Random } from '../../support/random/random.ts'
import { randomFor } from '../../support/random/seed.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const clickhouse = createEmbeddedClickHouse({ path: join(temporaryFolder(), 'clickhouse') })
test.before(() => migrate(clickhouse))
test.after.always(() => clickhouse.close())

type Type = 'STRING' | 'LONG' | 'DOUBLE' | 'BOOL'

const declared = [
  ['s', 'STRING'],
  ['n', 'LONG'],
  ['d', 'DOUBLE'],
  ['b', 'BOOL'],
  ['o.s', 'STRING'],
  ['o.n', 'LONG'],
  ['o.d', 'DOUBLE'],
  ['o.b', 'BOOL'],
  ['o.p.n', 'LONG'],
  ['constructor', 'STRING'],
] as const satisfies readonly (readonly [string, Type])[]

/** The oracle: text that says the value and nothing else; undefined where it is missing, `wrong` where its event is refused. */
function oracle(event: Event, name: string, type: Type): string | undefined {
  let value: Json | undefined = event
  for (const part of name.split('.')) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    value = Object.entries(value).find(([each]) => each === part)?.[1]
  }
  if (value === undefined || value === null) return undefined
  if (type === 'STRING') return typeof value === 'string' ? JSON.stringify(value) : 'wrong'
  if (type === 'BOOL') return typeof value === 'boolean' ? String(value) : 'wrong'
  if (typeof value !== 'number' && typeof value !== 'bigint') return 'wrong'
  if (type === 'DOUBLE') return doubleText(Number(value))
  if (typeof value === 'number' && !Number.isInteger(value)) return 'wrong'
  return BigInt.asIntN(64, BigInt(value)) === BigInt(value) ? String(BigInt(value)) : 'wrong'
}

const doubleText = (value: number): string => (Number.isFinite(value) ? String(value + 0) : 'wrong')

/** The same text of a value that some reader gave. */
function textOf(type: Type, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'bigint' || Number.isInteger(value))
    return type === 'LONG' ? String(BigInt(value as bigint)) : doubleText(Number(value))
  return typeof value === 'string' ? JSON.stringify(value) : String(value)
}

/** The text of a value that ClickHouse's `toString` gave. */
function storedText(type: Type, text: string | null): string | undefined {
  if (text === null) return undefined
  return type === 'STRING' ? JSON.stringify(text) : type === 'DOUBLE' ? doubleText(Number(text)) : text
}

/** The value as a query or a plain event has it. */
const literalOf = (type: Type, text: string): Literal => {
  if (type === 'STRING') return { kind: 'string', value: JSON.parse(text) }
  return type === 'BOOL' ? { kind: 'boolean', value: text === 'true' } : { kind: 'number', text }
}

/** An event that has this value of this attribute in the plainest way. */
const plainEvent = (name: string, text: string): Event => {
  const [first = '', ...rest] = name.split('.')
  const inner = rest.reduceRight((value, part) => `{${JSON.stringify(part)}:${value}}`, text)
  return parseJson(`{${JSON.stringify(first)}:${inner}}`, 'the event') as Event
}

const values = [
  '1',
  '0',
  '-0',
  '5.0',
  '-7',
  '0.1',
  '1e3',
  '1e17',
  '1.2345678901234568e18',
  '9007199254740991',
  '9007199254740992',
  '9007199254740993',
  '-9007199254740993',
  '9007199254740993.0',
  '1234567890123456789',
  '9223372036854775807',
  '-9223372036854775808',
  '9223372036854775808',
  '18446744073709551616',
  '1e21',
  '123456789012345678901234567890',
  '1e300',
  '5e-324',
  'null',
  'true',
  'false',
  '""',
  '"1"',
  '"true"',
  '"9007199254740993"',
  '"a:b\\\\c"',
  '"2026-11-28"',
  '"2026-11-28T23:59:59Z"',
  '"ü🎈\\u0000"',
  '[1]',
  '{}',
  '{"n":1}',
] as const

/** The texts of an event's members that bring a value, or seem to. */
const shapes: readonly ((name: string, value: string) => string)[] = [
  (name, value) =>
    name
      .split('.')
      .reduceRight((inner, part) => `{${JSON.stringify(part)}:${inner}}`, value)
      .slice(1, -1),
  (name, value) => `${JSON.stringify(name)}:${value}`,
]
const oddShapes: readonly ((value: string) => string)[] = [
  (value) => `"o.n":${value},"o":{"n":2}`,
  (value) => `"o.n":1,"o":{"n":${value}}`,
  (value) => `"o.n":${value},"o":{"n":null}`,
  (value) => `"o.n":${value},"o":null`,
  (value) => `"o.n":${value},"o":[{"n":3}]`,
  (value) => `"o":{"p.n":${value}}`,
  (value) => `"o.p":{"n":${value}}`,
  (value) => `"o":{"p":[${value}]}`,
  (value) => `"o":{"p":${value}}`,
  (value) => `"o":{"deep":{"x":${value}}}`,
  (value) => `"other":${value},"n":null`,
]

function* texts(random: Random): Generator<string> {
  for (const value of values) {
    for (const [name] of declared) for (const shape of shapes) yield `{${shape(name, value)}}`
    for (const shape of oddShapes) yield `{${shape(value)}}`
  }
  for (let at = 0; at < 150; at++) {
    const members = Array.from({ length: random.whole(1, 4) }, () =>
      random.chance(0.8)
        ? random.pick(shapes)(random.pick(declared)[0], random.pick(values))
        : random.pick(oddShapes)(random.pick(values)),
    )
    yield `{${members.join(',')}}`
  }
}

const flat = (name: string): string => name.replaceAll('.', '_')
const attr = [
  ...declared.map(([name, type]) => ({ name, type })),
  { name: 'o', type: 'OBJECT' },
  { name: 'o.p', type: 'OBJECT' },
]
const id = { name: 'id', type: 'LONG' }
const copies = declared.map(([name, type]) => ({ name: `c_${flat(name)}`, type, opnm: 'COPY', iatr: [name] }))

const joined = (name: string, rstm: string, own: string, other: string) => ({
  ...{ name: `j_${flat(name)}`, type: 1, iatr: [own], rstm, ratr: [other], ostm: `made_${flat(name)}` },
  jqry: { cond: [name], args: [name] },
})

/** Of `side` the events are read, and `probe` asks for them with values as the oracle has them. */
const cells = decodeSchema({
  schema: 'cells',
  streams: [
    {
      ...{ name: 'side', type: 1, swsz: 0, attr: [id, ...attr], catr: copies },
      fltr: [
        {
          ...{ name: 'all', fatr: ['id', 'o', ...declared.map(([name]) => name)], ostm: 'copied' },
          fqry: { name: JSON.stringify({ query: [{ key: 'id', cmp_op: 1, val: 0 }], qtype: 1 }), type: 1 },
        },
      ],
      enty: declared.map(([name, type]) => ({
        ...{ name: `e_${flat(name)}`, opid: 'COUNT', ratr: ['ids'], iatr: ['id'], rstm: `by_${flat(name)}` },
        pkatr: [{ name: 'k', type, iatr: [name] }],
      })),
      join: declared.map(([name]) => joined(name, 'probe', 'id', 'pid')),
      cepq: [
        {
          ...{ name: 'each', type: 6, notf: 7 },
          cond: [
            {
              name: 'cqry',
              fqry: { name: JSON.stringify({ query: [{ key: 'id', cmp_op: 1, val: 0 }], qtype: 1 }), type: 1 },
            },
          ],
          fqry: { name: JSON.stringify({ query: [{ key: 'id', cmp_op: 1, val: 0 }], qtype: 1 }), type: 1 },
        },
      ],
    },
    { name: 'copied', type: 2, swsz: 0, inpt: ['side'], attr: [id, ...attr] },
    ...declared.map(([name]) => ({ name: `by_${flat(name)}`, type: 4, inpt: ['side'] })),
    ...declared.map(([name]) => ({ name: `made_${flat(name)}`, type: 3, swsz: 0, inpt: ['side', 'probe'] })),
    {
      ...{ name: 'probe', type: 1, swsz: 0, attr: [{ name: 'pid', type: 'LONG' }, ...attr] },
      refr: [
        {
          ...{ name: 'values', rstm: 'side', jqry: { cond: ['id'], args: ['pid'] } },
          iatr: [...declared.map(([name]) => `r_${flat(name)}`), 'r_o'],
          ratr: [...declared.map(([name]) => name), 'o'],
        },
        ...declared.flatMap(([name]) => [
          {
            ...{ name: `k_${flat(name)}`, iatr: [`k_${flat(name)}`], rstm: 'side', ratr: ['id'] },
            jqry: { cond: [name], args: [name] },
          },
          {
            ...{ name: `e_${flat(name)}`, iatr: [`e_${flat(name)}`], rstm: `by_${flat(name)}`, ratr: ['ids.cnt'] },
            jqry: { cond: ['k'], args: [name] },
          },
        ]),
      ],
      join: declared.map(([name]) => joined(name, 'side', 'pid', 'id')),
    },
    {
      ...{ name: 'mirror', type: 1, swsz: 0, attr: [id, ...attr] },
      refr: declared.map(([name]) => ({
        ...{ name: `m_${flat(name)}`, iatr: [`m_${flat(name)}`], rstm: 'plain', ratr: ['id'] },
        jqry: { cond: [name], args: [name] },
      })),
    },
    { name: 'plain', type: 1, swsz: 0, attr: [id, ...attr] },
  ],
})

const streamOf = (schema: Schema, name: string): Stream => {
  const found = schema.streams.find((stream) => stream.name === name)
  if (!found) throw new Error(`no stream ${name}`)
  return found
}

/** A schema whose events go to partitions by one attribute. */
const sharing = (name: string): Schema =>
  decodeSchema({
    schema: `p_${flat(name)}`,
    streams: [
      { name: 'side', type: 1, attr: [id, ...attr], join: [joined(name, 'probe', 'id', 'pid')] },
      {
        name: 'probe',
        type: 1,
        attr: [{ name: 'pid', type: 'LONG' }, ...attr],
        join: [joined(name, 'side', 'pid', 'id')],
      },
      { name: `made_${flat(name)}`, type: 3, inpt: ['side', 'probe'] },
    ],
  })

const never = () => Promise.reject(new Error('nothing is asked'))
const time = 1_800_000_000_000_000
const at = { offset: 0, line: 1, column: 1 }

/** The readings that differ from the oracle, by reader. */
function createFindings(t: ExecutionContext) {
  const found = new Map<string, string[]>()
  return {
    is(reader: string, text: string, name: string, given: unknown, wanted: unknown): void {
      if (given === wanted) return
      found.set(reader, [
        ...(found.get(reader) ?? []),
        `${name} of ${text}: ${String(given)} in place of ${String(wanted)}`,
      ])
    },
    end(): void {
      const cells = [...found].map(
        ([reader, all]) => `${reader}, ${all.length} times:\n  ${all.slice(0, 6).join('\n  ')}`,
      )
      t.is(cells.join('\n'), '')
    },
  }
}

const equals = (path: string, value: Literal): Condition => ({ kind: 'compare', path, operator: '=', value, at })

test('a value is the same for its column, references, keys, conditions, computed attributes, live readers and matches', async (t) => {
  const findings = createFindings(t)
  const side = streamOf(cells, 'side')
  for (const statement of createSchema(cells)) await clickhouse.run(statement)
  const references = compileReferences(cells)
  const step = compileStep(cells)
  const outside = createOutside({ clickhouse: { rows: never }, caughtUp: never, tableOf: () => undefined })
  const encode = compileEncoder(
    cells,
    side,
    createPivots(cells, side, new Map(), () => {}),
  )
  const compute = compileComputed(side.computed, side, async () => [])
  if (compute.kind !== 'each') throw new Error('a model is asked')
  const { state } = createPlainState()
  for (const { name } of references.spaces) state.set(name, 'whole', true)

  type Sent = { readonly text: string; readonly event: Event; readonly raw: Event; readonly seq: number }
  const sent: Sent[] = []
  const shown = new Map<number, string>()
  const lines: string[] = []
  let seq = 0
  for (const text of texts(randomFor(t))) {
    const raw = parseJson(text, 'the event') as Event
    const event: Event = { ...raw, id: ++seq, _pk: time + seq }
    const isWrong =
      declared.some(([name, type]) => oracle(raw, name, type) === 'wrong') ||
      [raw.o, isObject(raw.o) ? raw.o.p : undefined].some((each) => (each ?? null) !== null && typeof each !== 'object')
    compute.compute(event)
    let line: string | undefined
    try {
      line = encode(event, String(time + seq), seq)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
    }
    findings.is('encoder', text, 'whether it is current', line !== undefined, !isWrong)
    if (line === undefined || isWrong) continue
    lines.push(line)
    const one = { event, pk: String(time + seq), seq }
    references.observe('side', one, state, outside)
    step.step('side', one, createPlainState().state, {
      row: () => {},
      match: (_, match) => shown.set(one.seq, writeJson(match)),
    })
    sent.push({ text, event, raw, seq })
  }
  await clickhouse.insert({ table: 'cells.side__in', rows: Buffer.from(lines.join('')), token: 'one' })
  const seeded = createPlainState()
  for (const space of references.spaces) for await (const fill of space.seed(clickhouse)) fill(seeded.state)

  const columns = declared.map(([name]) => `toString(\`${name}\`)`).join(', ')
  const computedColumns = declared.map(([name]) => `toString(\`c_${flat(name)}\`)`).join(', ')
  type Columns = {
    readonly id: number
    readonly v: readonly (string | null)[]
    readonly c?: readonly (string | null)[]
  }
  const rowsOf = async (table: string, more = '') =>
    new Map(
      (
        await clickhouse.rows<Columns>({
          text: `SELECT toInt32(id) AS id, [${columns}] AS v${more} FROM cells.${table}`,
          params: {},
        })
      ).map((row) => [row.id, row]),
    )
  const [stored, filtered] = [await rowsOf('side', `, [${computedColumns}] AS c`), await rowsOf('copied')]
  const source = { schema: cells, stream: side, columns: noColumns, now_us: time }
  const span = { behind: 0, through: seq, limit: 100_000 }
  type Document = { readonly s: string; readonly v: string }
  const documents = new Map(
    (await clickhouse.rows<Document>(compileArrived(source, span))).map(({ s, v }) => [Number(s), v]),
  )

  /** The values that references bring to an event that asks. */
  const resolved = (stream: string, event: Event, from: RuleState): Event => {
    const asking = { ...event }
    references.resolve(stream, { event: asking, pk: String(time + seq), seq: seq + 1 }, from, outside)
    return asking
  }

  for (const { text, event, raw, seq } of sent) {
    const match = shown.get(seq)
    findings.is(
      'match',
      text,
      'the event',
      match && sorted(parseJson(match, 'the match')),
      sorted({ ...(parseJson(documents.get(seq) ?? '{}', 'the document') as Event) }, '_v'),
    )
    const byId = [
      ['reference', resolved('probe', { pid: seq }, state)],
      ['reference after a seed', resolved('probe', { pid: seq }, seeded.state)],
    ] as const
    for (const [reader, found] of byId) {
      const object = (raw.o ?? undefined) && writeJson(raw.o ?? null)
      findings.is(reader, text, 'o', found.r_o === undefined ? undefined : writeJson(found.r_o), object)
    }
    for (const [index, [name, type]] of declared.entries()) {
      const wanted = oracle(raw, name, type)
      const is = (reader: string, given: unknown): void => findings.is(reader, text, name, given, wanted)
      is('column', storedText(type, stored.get(seq)?.v[index] ?? null))
      is('column of a copy', storedText(type, filtered.get(seq)?.v[index] ?? null))
      is('computed attribute', textOf(type, event[`c_${flat(name)}`]))
      is('column of a computed attribute', storedText(type, stored.get(seq)?.c?.[index] ?? null))
      for (const [reader, found] of byId) is(reader, textOf(type, found[`r_${flat(name)}`]))
      if (wanted === undefined) continue
      const holds = compileCondition(equals(name, literalOf(type, wanted)), side, () => () => undefined)
      const current = currentEvent({ event, pk: String(time + seq), seq })
      findings.is('condition', text, name, holds(current, state), true)
    }
  }

  // The events of each value, by the oracle.
  for (const [name, type] of declared) {
    const having = new Map<string, number[]>()
    for (const { raw, seq } of sent) {
      const wanted = oracle(raw, name, type)
      if (wanted !== undefined) having.set(wanted, [...(having.get(wanted) ?? []), seq])
    }
    const partitioned = sharing(name)
    const [partition, keyOf] = [
      compilePartitionKeys(partitioned),
      compileKey({ ...side, attributes: side.attributes.map((each) => ({ ...each, primaryKey: each.name === name })) }),
    ]
    for (const [wanted, all] of having) {
      const probe = plainEvent(name, wanted)
      const literal = literalOf(type, wanted)
      const is = (reader: string, given: unknown, expected: unknown): void =>
        findings.is(reader, wanted, name, given, expected)
      for (const [way, from] of [
        ['', state],
        [' after a seed', seeded.state],
      ] as const) {
        const found = resolved('probe', probe, from)
        is(`key of a reference${way}`, found[`k_${flat(name)}`], all.at(-1))
        is(`key of an entity${way}`, found[`e_${flat(name)}`], all.length)
      }
      const live = await clickhouse.rows<Document>(compileArrived(source, { ...span, where: equals(name, literal) }))
      is('live where', live.map(({ s }) => s).join(), all.join())
      const holds = compileCondition(equals(name, literal), side, () => () => undefined)
      const held = sent.filter(({ event, seq }) => holds(currentEvent({ event, pk: String(time + seq), seq }), state))
      is('condition', held.map(({ seq }) => seq).join(), all.join())
      const limited = compileLimits({
        ...side,
        attributes: side.attributes.map((each) =>
          each.name === name
            ? {
                ...each,
                limits: { values: [valueOf(type, wanted)], ...(isNumber(type) && bounds(valueOf(type, wanted))) },
              }
            : each,
        ),
      })
      for (const { text, event, raw, seq } of sent) {
        const has = oracle(raw, name, type)
        if (has === undefined) continue
        findings.is('limit', text, `${name} among ${wanted}`, limited?.(event).length === 0, has === wanted)
        if (has !== wanted) continue
        findings.is('partition', text, name, partition('side', event, seq), partition('probe', probe, 0))
        findings.is('declared key', text, name, keyOf?.(event, seq), keyOf?.(probe, 0))
        const joins: string[] = []
        const memory = createPlainState()
        const made = { row: (stream: string) => joins.push(stream), match: () => {} }
        step.step('side', { event, pk: String(time + seq), seq }, memory.state, made)
        step.step('probe', { event: { ...probe, pid: 1, _pk: time }, pk: String(time), seq: 0 }, memory.state, made)
        findings.is('key of a join', text, name, joins.includes(`made_${flat(name)}`), true)
        const mirrored = createPlainState()
        for (const { name: space } of references.spaces) mirrored.state.set(space, 'whole', true)
        references.observe('plain', { event: { ...probe, id: 1 }, pk: String(time), seq: 1 }, mirrored.state, outside)
        const mirror = resolved('mirror', event, mirrored.state)
        findings.is('operand of a reference', text, name, mirror[`m_${flat(name)}`], 1)
      }
    }
    for (const { text, event, raw, seq } of sent) {
      if (oracle(raw, name, type) !== undefined) continue
      findings.is('partition', text, name, partition('side', event, seq), '')
      findings.is('declared key', text, name, keyOf?.(event, seq), String(seq))
    }
  }
  t.log(`${sent.length} events`)
  findings.end()
})

const isNumber = (type: Type): boolean => type === 'LONG' || type === 'DOUBLE'
const bounds = (value: unknown) => ({ min: value as number, max: value as number })
const valueOf = (type: Type, text: string): string | number | bigint | boolean => {
  if (type === 'LONG') return Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text)
  return type === 'DOUBLE' ? Number(text) : JSON.parse(text)
}

/** JSON with its members in order, without some. */
function sorted(value: Json, ...without: string[]): string {
  if (Array.isArray(value)) return `[${value.map((each) => sorted(each)).join()}]`
  if (!isObject(value)) return writeJson(value)
  return `{${Object.entries(value)
    .filter(([name]) => !without.includes(name))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, each]) => `${JSON.stringify(name)}:${sorted(each)}`)
    .join()}}`
}

test('a model and its series read the values that are stored', async (t) => {
  const findings = createFindings(t)
  const asked: unknown[] = []
  const predict: Predict = async (_, inputs) => {
    asked.push(...inputs)
    return []
  }
  for (const [name, type] of declared) {
    const attribute = { name: 'p', type: 'LONG', operation: 'PRED', order: 0, whenPresent: 'add' } as const
    const stream = streamOf(cells, 'side')
    const one = compileComputed([{ ...attribute, inputs: [name] }], stream, predict)
    const series = compileComputed([{ ...attribute, inputs: ['q'], lag: 1, uid: name }], stream, predict, () => ({
      last: () => undefined,
    }))
    if (one.kind === 'each' || series.kind === 'each') throw new Error('no model is asked')
    for (const text of texts(randomFor(t))) {
      const event = parseJson(text, 'the event') as Event
      const wanted = oracle(event, name, type)
      if (wanted === 'wrong') continue
      asked.length = 0
      await one.compute([event])
      const [inputs] = asked as ({ readonly [name: string]: unknown } | undefined)[]
      findings.is('prediction', text, name, inputs && textOf(type, inputs[name]), wanted)
      if (wanted === undefined || wanted === '""') continue
      asked.length = 0
      await series.compute([
        { ...plainEvent(name, wanted), q: 5 },
        { ...event, q: 6 },
      ])
      findings.is('series', text, name, JSON.stringify(asked.at(-1)), '{"lag1":5}')
    }
  }
  findings.end()
})
