/** The rows that a training takes of a stream: which ones they are, counted by hand, and what is refused. */
import { createHash } from 'node:crypto'
import test from 'ava'
import { sumModel } from '../../activities/training/python/models.ts'
import { startService } from '../../support/service.ts'
import { createTrainer, requestOf } from './trainer.ts'

const service = await startService()
const { client } = service
test.after.always(() => service.close())
const trainer = createTrainer(client)

const attr = [
  { name: 'at', type: 'LONG' },
  { name: 'price', type: 'DOUBLE' },
  { name: 'shop', type: 'STRING' },
  { name: 'paid', type: 'DOUBLE' },
]
const hour_us = 3_600_000_000
const first_us = Date.UTC(2026, 0, 1) * 1000

type Sale = {
  readonly _pk: number
  readonly at: number
  readonly price: number
  readonly shop: string
  readonly paid: number
}

/** An hour apart, from the beginning of 2026 on. */
const sales: readonly Sale[] = Array.from({ length: 600 }, (_, n) => ({
  ...{ _pk: first_us + n * hour_us, at: n, price: (n * 37) % 101, shop: `s${n % 12}` },
  paid: 3 * ((n * 37) % 101) + (n % 5),
}))

const user = { name: 'shop', type: 5, iatr: ['shop'] }

test.before(async () => {
  await client.register({
    schema: 'shop',
    streams: [
      {
        ...{ name: 'sales', type: 1, swsz: 0, attr },
        enty: [{ name: 'of', opid: 3, ratr: ['spent'], iatr: ['paid'], pkatr: [user], rstm: 'shops' }],
        fltr: ['low', 'high'].map((side) => ({
          name: side,
          fqry: {
            name: `{"query":[{"key":"price","cmp_op":${side === 'low' ? 2 : 1},"val":${side === 'low' ? 60 : 40}}],"qtype":1}`,
            type: 1,
          },
          ...{ fatr: ['at', 'price', 'shop', 'paid'], ostm: 'twice' },
        })),
      },
      { name: 'shops', type: 4, inpt: ['sales'] },
      { ...{ name: 'twice', type: 2, inpt: ['sales'], swsz: 0, attr } },
      { ...{ name: 'empty', type: 1, swsz: 0, attr } },
    ],
  })
  await client.lines('shop.sales', sales)
})

type Members = Readonly<Record<string, unknown>>

const asked = (members: Members, more: Members = {}) => ({
  algo_type: 'LIN',
  more: {
    attr_list: undefined,
    ...more,
    training_details: {
      ...{ training_source_type: 'STREAM', 'stream-name': 'sales', target: 'paid', ...members },
    },
  },
})

/** Trains on the rows that members choose, and tells what the version says of them. */
async function trained(
  t: { is: (a: unknown, b: unknown, c?: string) => unknown },
  members: Members,
  more: Members = {},
) {
  const name = `m${createHash('md5')
    .update(JSON.stringify([members, more]))
    .digest('hex')
    .slice(0, 12)}`
  t.is(await trainer.train(name, asked(members, more)), 25, JSON.stringify((await trainer.statusOf(name)).reason))
  const { data_fingerprint: fingerprint, source, metrics } = await client.ok(client.get(`/ml/shop/${name}`))
  const { train_log } = await trainer.recordOf(name)
  return { fingerprint, source, metrics, log: train_log.log.join('\n') as string }
}

/** The hash of the lines that a training learns from: the events in the order of their times. */
async function printOf(stream: string, isTaken: (sale: Sale) => boolean): Promise<string> {
  const rows = await client.ok(client.query(`select * from shop.${stream}`))
  const texts: string[] = rows.rows.map(({ v }: { v: string }) => v)
  const lines = texts
    .reverse()
    .filter((text) => isTaken(JSON.parse(text)))
    .map((text) => `${text}\n`)
  return `sha256:${createHash('sha256').update(lines.join('')).digest('hex')}`
}

test.serial('where, from and to take the events that they name, and no others', async (t) => {
  const [day, second] = ['2026-01-02', first_us + 48 * hour_us]
  const cases: [Members, (sale: Sale) => boolean][] = [
    [{}, () => true],
    [{ where: 'price > 50 and shop != "s3"' }, ({ price, shop }) => price > 50 && shop !== 's3'],
    [{ from: day }, ({ at }) => at >= 24],
    [{ from: day, to: second }, ({ at }) => at >= 24 && at < 48],
    [{ to: '2026-01-03T00:00:00.000001Z' }, ({ at }) => at <= 48],
    [
      { from: String(second), where: 'shop = "s1" or _pk < "2026-01-04"' },
      ({ at, shop }) => at >= 48 && (shop === 's1' || at < 72),
    ],
  ]
  for (const [members, isTaken] of cases) {
    const { fingerprint, metrics, log } = await trained(t, members)
    const count = sales.filter(isTaken).length
    const told = JSON.stringify(members)
    t.is(fingerprint, await printOf('sales', isTaken), told)
    t.is(metrics.source_rows, 600, told)
    t.is(metrics.taken_rows, count, told)
    if (Object.keys(members).length > 0) t.true(log.includes(`retrieved ${count} of 600 events`), log)
  }
})

test.serial(
  'limit takes the latest events that the other members leave, and no less of those that came twice',
  async (t) => {
    const { fingerprint, source } = await trained(t, { limit: 77, where: 'price > 50' })
    const latest = new Set(sales.filter(({ price }) => price > 50).slice(-77))
    t.is(fingerprint, await printOf('sales', ({ at }) => [...latest].some((sale) => sale.at === at)))
    t.deepEqual(source, { training_source_type: 'STREAM', 'stream-name': 'sales', where: 'price > 50', limit: '77' })
    for (const limit of [50, 51, 52, 53])
      t.is((await trained(t, { limit, 'stream-name': 'twice' })).metrics.taken_rows, limit)
    t.is((await trained(t, { limit: 100_000 })).metrics.taken_rows, 600)
  },
)

test.serial('a sample is the same each time, of a share about so many events and of rows so many', async (t) => {
  const share = await trained(t, { sample: 0.3 })
  t.true(Math.abs(share.metrics.taken_rows - 180) < 50, String(share.metrics.taken_rows))
  t.is((await trained(t, { sample: 0.3 })).fingerprint, share.fingerprint)
  const rows = await trained(t, { sample: 100, where: 'price > 50' })
  t.is(rows.metrics.taken_rows, 100)
  t.is((await trained(t, { sample: 100, where: 'price > 50' }, { scale: 0 })).fingerprint, rows.fingerprint)
  t.regex(rows.log, /retrieved 100 of 600 events of the stream \[ shop\.sales \]: where price > 50, sample 100/)
  t.is((await trained(t, { sample: 1 })).metrics.taken_rows, 600)
  t.is((await trained(t, { sample: 5_000 })).metrics.taken_rows, 600)
  t.is((await trained(t, { sample: 100, limit: 40 })).metrics.taken_rows, 40)
})

test.serial('tuning and series learn from the events that are taken, a sample of series from whole ones', async (t) => {
  const tuned = await trained(t, { where: 'price > 50' }, { tune_params: 1 })
  const count = sales.filter(({ price }) => price > 50).length
  t.is(tuned.metrics.taken_rows, count)
  const series = { algo_param: { lag: 3 } }
  const lagged = await trained(t, { from: '2026-01-02', limit: 100 }, series)
  t.is(lagged.metrics.taken_rows, 100)
  t.regex(lagged.log, /100 values of one series/)
  const part = await trained(t, { sample: 0.5 }, { algo_param: { lag: 3, uid: 'shop' } })
  const [, some] = /of (\d+) series by 'shop'/.exec(part.log) ?? []
  t.true(Number(some) > 0 && Number(some) < 12, part.log)
  t.is(part.metrics.taken_rows, 50 * Number(some))
})

test.serial('a script is given the events that are taken', async (t) => {
  const script = `import base64, json, sys
config = json.load(open(sys.argv[2]))
print('rows', sum(1 for _ in open(config['data_file'])))
open('model.onnx', 'wb').write(base64.b64decode('${Buffer.from(sumModel('double', 2)).toString('base64')}'))
`
  await client.ok(client.send('PUT', '/brs/weir_udf_bucket/object/count.py', script))
  const attr_list = ['at', 'price', 'paid'].map((name, position) => ({ name, position, type: 'DOUBLE' }))
  const request = asked({ where: 'price > 50', limit: 33, target: undefined, target_idx: 2 })
  const more = { ...request.more, attr_list, algo_param: { script: 'count.py' } }
  t.is(await trainer.train('script', { algo_type: 'PY', more }), 25)
  t.true((await trainer.recordOf('script')).train_log.log.includes('rows 33'))
})

test.serial('rows of an entity stream are taken by a condition on keys and values, and by a sample', async (t) => {
  const of = { 'stream-name': 'shops', target: 'spent_sum' }
  const sums = Array.from({ length: 12 }, (_, n) =>
    sales.filter(({ shop }) => shop === `s${n}`).reduce((sum, { paid }) => sum + paid, 0),
  )
  const bound = [...sums].sort((a, b) => a - b)[3] ?? 0
  const some = await trained(t, { ...of, where: `spent.sum > ${bound}` })
  t.is(some.metrics.taken_rows, sums.filter((sum) => sum > bound).length)
  t.is(some.metrics.source_rows, 12)
  t.regex(some.log, /of 12 rows of the entity stream \[ shop\.shops \]/)
  t.is((await trained(t, { ...of, sample: 7 })).metrics.taken_rows, 7)
})

async function refusal(members: Members, more: Members = {}): Promise<string> {
  const { status, body } = await client.post('/ml/train', requestOf('refused', asked(members, more)))
  return status === 400 ? body.error.join('\n') : `${status}`
}

test.serial('members that cannot be meant are refused at the request, which says what would be right', async (t) => {
  const cases: [Members, RegExp, Members?][] = [
    [
      { where: 'prize > 50' },
      /training_details\.where: line 1, column 1: shop\.sales does not declare prize.*did you mean price\?\nprize > 50\n\^/,
    ],
    [
      { where: 'price > "much"' },
      /training_details\.where: line 1, column 1: price is DOUBLE: compare it with a number/,
    ],
    [{ where: 'price >' }, /training_details\.where: line 1, column 8: /],
    [{ where: 'st >= 1700000000' }, /training_details\.where: .*looks like seconds/],
    [{ where: 7 }, /training_details\.where: must be a string/],
    [{ from: 1_700_000_000 }, /training_details\.from: .*looks like seconds: write 1700000000000000/],
    [{ to: 'tomorrow' }, /training_details\.to: must be microseconds since 1970, or a text such as/],
    [{ from: true }, /training_details\.from: must be microseconds/],
    [{ from: '2026-02-01', to: '2026-02-01' }, /training_details\.to: is not behind from/],
    [{ limit: 0 }, /training_details\.limit: must be a whole number from 1/],
    [{ sample: 0 }, /training_details\.sample: must be a share above 0, at most 1, or a whole number of rows from 2/],
    [{ sample: 1.5 }, /training_details\.sample: must be a share/],
    [{ sample: -1 }, /training_details\.sample: must be a share/],
    [
      { 'stream-name': 'shops', target: 'spent_sum', from: '2026-01-01' },
      /training_details\.from: shop\.shops is an entity stream, whose rows have no order in time/,
    ],
    [{ 'stream-name': 'shops', target: 'spent_sum', limit: 5 }, /training_details\.limit: .*sample takes so many rows/],
    [
      { 'stream-name': 'shops', target: 'spent_sum', where: 'spend.sum > 1' },
      /training_details\.where: line 1, column 1: spend\.sum is no key/,
    ],
    [{ sample: 0.5 }, /training_details\.sample: .*one series/, { algo_param: { lag: 3 } }],
    [{ sample: 50 }, /training_details\.sample: .*a share of the series/, { algo_param: { lag: 3, uid: 'shop' } }],
    [
      { training_source_type: 'FILE', training_source: 'f.csv', input_format: 'CSV', where: 'price > 1' },
      /training_details\.where: chooses rows of a STREAM or a TABLE; the rows of a FILE are learnt from whole/,
    ],
    [{}, /limit: stands in training_details/, { limit: 10 }],
  ]
  for (const [members, says, more] of cases) t.regex(await refusal(members, more), says, JSON.stringify(members))
})

test.serial('events that match nothing end the training, which says how many there were', async (t) => {
  t.not(await trainer.train('none', asked({ where: 'price > 1000' })), 25)
  const { train_log, reason } = await trainer.recordOf('none')
  t.regex(train_log.log.join('\n'), /retrieved 0 of 600 events/)
  t.regex(reason, /no row/)
})
