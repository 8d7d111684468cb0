/** The states of watches in ClickHouse. */
import { join } from 'node:path'
import test from 'ava'
import { createSilences } from '../../../../activities/saved/watch/silences.ts'
import { type Alert, idOf, type Key } from '../../../../activities/saved/watch/states.ts'
import { createWatchStore, type Kept } from '../../../../activities/saved/watch/store.ts'
import { createEmbeddedClickHouse } from '../../../../infra/clickhouse/embedded/client.ts'
import { migrate } from '../../../../infra/clickhouse/migrate.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const clickhouse = createEmbeddedClickHouse({ path: join(temporaryFolder(), 'clickhouse') })
test.before(() => migrate(clickhouse))
test.after.always(() => clickhouse.close())

const kept: Kept = {
  ...{ at: 1_795_000_000_000_000, took_ms: 5, skipped: 0, alerts: new Map() },
  receivers: { version: 1, format: 'weir', labels: {} },
}

test.serial(
  'watches that go together are forgotten by one statement, with their silences, and no others',
  async (t) => {
    let statements = 0
    const store = createWatchStore({
      ...clickhouse,
      run: (statement) => {
        statements++
        return clickhouse.run(statement)
      },
    })
    const gone = ["it's", 'a"b', 'grün', ...Array.from({ length: 200 }, (_, n) => `gone${n}`)]
    const all = [...gone, 'stays']
    const turn = { holder: 'h', at: kept.at, changes: [], runs: [], sends: [] }
    await store.commit({ ...turn, number: 1, states: new Map(all.map((name) => [name, kept])) })
    const until = kept.at + 1_000_000
    for (const name of ["it's", 'gone7', 'stays']) await store.putSilence({ name, key: {}, until, why: 'planned' }, 1)
    await store.commit({ ...turn, number: 2, states: new Map(gone.map((name) => [name, undefined])) })
    await store.forget(gone)
    t.is(statements, 1)
    await store.forget([])
    t.is(statements, 1)
    t.deepEqual([...(await store.load()).keys()], ['stays'])
    t.deepEqual(
      (await store.silences(kept.at)).map(({ name }) => name),
      ['stays'],
    )
    const left = await clickhouse.rows<{ name: string }>({
      text: "SELECT DISTINCT name FROM weir.saved_log WHERE kind IN ('state', 'silence')",
      params: {},
    })
    t.deepEqual(left, [{ name: 'stays' }])
  },
)

test.serial('silences that Weir 0.1 kept, one for each order of a key, end and are replaced by one', async (t) => {
  const store = createWatchStore(clickhouse)
  let now_us = kept.at
  const silences = createSilences({ store, exclusively: (work) => work(), now_us: () => ++now_us })
  const until = kept.at + 1_000_000
  const old = async (name: string) => {
    const rows = ['{"a":1,"b":"2"}', '{"b":"2","a":1}', '{"a":"1","b":2}', '{"a":1}'].map((part) =>
      JSON.stringify({
        kind: 'silence',
        name,
        part,
        version: 1,
        at: until,
        body: `{"key":${part},"until":${until},"why":"old"}`,
      }),
    )
    await clickhouse.insert({ table: '`weir`.`saved_log`', rows: Buffer.from(rows.join('\n')) })
    t.is((await silences.of(name)).length, 4)
  }
  const found = async (name: string) => (await silences.of(name)).map(({ key, why }) => [JSON.stringify(key), why])
  await old('replaced')
  await silences.put({ name: 'replaced', key: { a: 1, b: 2 }, until, why: 'new' })
  t.deepEqual((await found('replaced')).toSorted(), [
    ['{"a":1,"b":2}', 'new'],
    ['{"a":1}', 'old'],
  ])
  await old('ended')
  await silences.put({ name: 'ended', key: { b: 2, a: '1' }, until: kept.at - 1, why: 'over' })
  t.deepEqual(await found('ended'), [['{"a":1}', 'old']])
})

test.serial('a silence takes the place of one that was set while the clock was ahead', async (t) => {
  const store = createWatchStore(clickhouse)
  let now_us = kept.at + 300_000_000
  const silences = createSilences({ store, exclusively: (work) => work(), now_us: () => now_us })
  const until = kept.at + 900_000_000
  const put = (why: string, end = until) => silences.put({ name: 'ahead', key: { a: 1 }, until: end, why })
  const found = async () => (await silences.of('ahead')).map(({ why }) => why)
  await put('set ahead')
  now_us = kept.at
  await put('set anew')
  t.deepEqual(await found(), ['set anew'])
  await put('over', kept.at - 1)
  t.deepEqual(await found(), [])
})

test.serial('silences that have ended are forgotten once there are many, and no one that lasts', async (t) => {
  const store = createWatchStore(clickhouse)
  const silences = createSilences({ store, exclusively: (work) => work(), now_us: () => kept.at })
  const row = (name: string, n: number, at: number, version = 1): string => {
    const body = JSON.stringify({ key: { n }, until: at, why: 'old' })
    return JSON.stringify({ kind: 'silence', name, part: `{"n":"${n}"}`, version, at, body })
  }
  const past = Array.from({ length: 220 }, (_, n) => row('many', n, kept.at - 1))
  const lasting = kept.at + 1_000_000
  // The latest version of 300 lasts, that of 301 does not.
  const others = [
    ...[row('many', 300, kept.at - 1), row('many', 300, lasting, 2)],
    ...[row('many', 301, lasting), row('many', 301, kept.at - 1, 2), row('other', 1, kept.at - 1)],
  ]
  await clickhouse.insert({ table: '`weir`.`saved_log`', rows: Buffer.from([...past, ...others].join('\n')) })
  await silences.put({ name: 'many', key: { n: 400 }, until: lasting, why: 'new' })
  t.deepEqual(
    (await silences.of('many')).map(({ key }) => key),
    [{ n: 300 }, { n: 400 }],
  )
  t.deepEqual(await store.knownSilences('many'), { parts: 2, version: kept.at })
  t.is((await store.knownSilences('other')).parts, 1)
})

const since = 1_795_000_000_000_000
const firing = { state: 'firing', since, fired: since + 5, sent: since + 5 } as const
const keys: Key[] = [
  { car: 'a"b', n: 2n ** 63n, part: 1.5, none: null },
  { ['__proto__']: 'x' },
  { list: ['a', [2n ** 60n + 1n]] },
  {},
]
const alerts: Alert[] = [
  ...keys.map((key, n) => ({ about: 'key', key, ...firing, value: n === 0 ? 2n ** 64n - 1n : `v${n}` }) as const),
  { about: 'error', key: {}, state: 'pending', since, value: 'no table "key"' },
  { about: 'no_rows', key: {}, state: 'resolved', since, ceased: since + 1, resolved: since + 2, value: null },
]

test.serial('alerts are those that were written, with their keys, whatever these are', async (t) => {
  const store = createWatchStore(clickhouse)
  const written: Kept = { ...kept, alerts: new Map(alerts.map((alert) => [idOf(alert.about, alert.key), alert])) }
  const turn = { holder: 'h', at: kept.at, changes: [], runs: [], sends: [] }
  await store.commit({ ...turn, number: 10, states: new Map([['alerts', written]]) })
  t.deepEqual(await store.state('alerts'), written)
  t.is((await store.worst(['alerts'])).get('alerts'), 'firing')
})

test.serial('alerts that Weir 0.1 wrote, with their keys beside their ids, are read', async (t) => {
  const body = [
    '{"at":1795000000000000,"took_ms":5,"skipped":0,"receivers":{"version":1,"format":"weir","labels":{}},"alerts":[',
    '["{\\"car\\":\\"a\\"}",{"about":"key","key":{"car":"a"},"state":"pending","since":1795000000000000,"value":3}],',
    '["error",{"about":"error","key":{},"state":"firing","since":1795000000000000,"value":"no","fired":1795000000000001}]]}',
  ].join('')
  const row = { kind: 'state', name: 'old', version: 11, at: kept.at, body }
  await clickhouse.insert({ table: '`weir`.`saved_log`', rows: Buffer.from(`${JSON.stringify(row)}\n`) })
  const state = await createWatchStore(clickhouse).state('old')
  t.deepEqual(
    [...(state?.alerts ?? [])],
    [
      ['{"car":"a"}', { about: 'key', key: { car: 'a' }, state: 'pending', since, value: 3 }],
      ['error', { about: 'error', key: {}, state: 'firing', since, value: 'no', fired: since + 1 }],
    ],
  )
})
