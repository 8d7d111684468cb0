/** Trainings from the records of a table: which ones they are, counted by hand, and what is refused. */
import { createHash } from 'node:crypto'
import test from 'ava'
import { startService } from '../../support/service.ts'
import { createTrainer, requestOf } from './trainer.ts'

const service = await startService()
const { client } = service
test.after.always(() => service.close())
const trainer = createTrainer(client)

type Flat = { readonly _pk: string; readonly size: number; readonly place: string; readonly rent: number }

/** Rents of flats, some of them with a note that holds line feeds and tabs. */
const flats: readonly Flat[] = Array.from({ length: 400 }, (_, n) => ({
  ...{
    _pk: `flat ${String(n).padStart(4, '0')}`,
    size: 20 + ((n * 31) % 97),
    place: ['north', 'south', 'east'][n % 3] ?? '',
  },
  rent: 10 * (20 + ((n * 31) % 97)) + (n % 3),
  ...(n % 50 === 0 && { note: `a\tb\nc ${n}` }),
}))

test.before(async () => {
  await client.ok(client.post('/db/depot/table', { table_name: 'flats', table_type: 1, key_type: 1, key_sz: 24 }))
  await client.ok(client.post('/db/depot/table', { table_name: 'texts', table_type: 0, key_type: 1, key_sz: 24 }))
  const lines = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('')
  const ndjson = { 'content-type': 'application/x-ndjson' }
  const records = flats.map(({ _pk, ...doc }) => ({ _pk, doc }))
  await client.ok(client.send('POST', '/db/depot/flats/doc', lines(records), ndjson))
  const texts = flats.map(({ _pk, place }, n) => ({ _pk, doc: `${place}\t${'hot cold'.split(' ')[n % 2]}\nday` }))
  await client.ok(client.send('POST', '/db/depot/texts/doc', lines(texts), ndjson))
  // Records are replaced and removed: the latest one of a key counts.
  await client.ok(
    client.send('PUT', '/db/depot/flats/doc', { _pk: 'flat 0007', doc: { size: 50, place: 'east', rent: 1 } }),
  )
  await client.ok(client.send('DELETE', '/db/depot/flats?key=flat%200008'))
})

type Members = Readonly<Record<string, unknown>>

const asked = (members: Members, more: Members = {}) => ({
  algo_type: 'LIN',
  more: {
    attr_list: undefined,
    ...more,
    training_details: {
      ...{ training_source_type: 'TABLE', training_source: 'depot.flats', target: 'rent' },
      ...members,
    },
  },
})

const records = async (table: string): Promise<string[]> => {
  const { rows } = await client.ok(client.post('/db/depot/query', { sql: `select * from depot.${table}` }))
  return rows.map(({ v }: { v: string }) => v)
}

const printOf = (lines: readonly string[]): string =>
  `sha256:${createHash('sha256')
    .update(lines.map((line) => `${line}\n`).join(''))
    .digest('hex')}`

async function trained(name: string, members: Members, more: Members = {}) {
  const state = await trainer.train(name, asked(members, more))
  const { reason, train_log } = await trainer.recordOf(name)
  if (state !== 25) throw new Error(`state ${state}: ${reason}`)
  const card = await client.ok(client.get(`/ml/shop/${name}`))
  return { ...card, log: train_log.log.join('\n') as string }
}

test('a model learns from the records of a table as they are, without their keys', async (t) => {
  const card = await trained('all', {})
  const lines = await records('flats')
  t.is(lines.length, 399)
  t.is(card.data_fingerprint, printOf(lines))
  t.like(card.metrics, { source_rows: 399, taken_rows: 399 })
  t.deepEqual(card.source, { training_source_type: 'TABLE', training_source: 'depot.flats' })
  const names = card.attributes.map(({ name }: { name: string }) => name)
  t.deepEqual(names.toSorted(), ['note', 'place', 'size'])
  t.regex(card.log, /retrieved 399 records of the table \[ depot\.flats \]/)
})

test('where takes the records that match, also by an index, and a sample the same ones each time', async (t) => {
  const some = await trained('some', { where: 'size > 60 and place = "east"' })
  const isTaken = (line: string): boolean => {
    const { size, place } = JSON.parse(line)
    return size > 60 && place === 'east'
  }
  const lines = (await records('flats')).filter(isTaken)
  t.is(some.data_fingerprint, printOf(lines))
  t.like(some.metrics, { source_rows: 399, taken_rows: lines.length })
  await client.ok(client.post('/db/depot/flats/index', { index_name: 'place', key_type: 1, key_size: 24, wait: 1 }))
  t.is((await trained('indexed', { where: 'size > 60 and place = "east"' })).data_fingerprint, printOf(lines))
  const sample = await trained('sample', { sample: 90 })
  t.is(sample.metrics.taken_rows, 90)
  t.is((await trained('again', { sample: 90 })).data_fingerprint, sample.data_fingerprint)
  const share = await trained('share', { sample: 0.5 })
  t.true(Math.abs(share.metrics.taken_rows - 200) < 50, String(share.metrics.taken_rows))
})

test('records of one text each are read, with all that their texts hold', async (t) => {
  const kinds = { ...asked({ training_source: 'depot.texts', target: undefined }), algo_type: 'KMEANS' }
  t.is(await trainer.train('texts', { ...kinds, more: { ...kinds.more, algo_param: { k: 2 } } }), 25)
  const { data_fingerprint, metrics } = await client.ok(client.get('/ml/shop/texts'))
  const { rows } = await client.ok(client.post('/db/depot/query', { sql: 'select * from depot.texts' }))
  const lines = rows.map(({ k, v }: { k: string; v: string }) => `{"_pk":"${k}","doc":${JSON.stringify(v)},"_v":1}`)
  t.is(data_fingerprint, printOf(lines))
  t.is(metrics.taken_rows, 400)
})

test('series are cut from records by the attribute that orders them', async (t) => {
  const card = await trained('series', { target: 'rent' }, { algo_param: { lag: 2, time: 'size' } })
  t.regex(card.log, /399 values of one series, ordered by 'size'/)
})

test('members that records have no use for are refused, and a table that is not there ends the training', async (t) => {
  const refusal = async (members: Members, more: Members = {}): Promise<string> => {
    const { status, body } = await client.post('/ml/train', requestOf('refused', asked(members, more)))
    return status === 400 ? body.error.join('\n') : `${status}`
  }
  t.regex(await refusal({ from: '2026-01-01' }), /training_details\.from: records of a table have no order in time/)
  t.regex(await refusal({ limit: 5 }), /training_details\.limit: .*sample takes so many of them/)
  t.regex(
    await refusal({ training_source: 'flats' }),
    /training_details\.training_source: must be the database and the table.*"depot\.cards"/,
  )
  t.regex(await refusal({ where: '_pk > 7' }), /training_details\.where: line 1, column 1: _pk is STRING/)
  t.regex(await refusal({ sample: 0.5 }, { algo_param: { lag: 2, time: 'size' } }), /training_details\.sample: .*gaps/)
  t.is(await trainer.train('absent', asked({ training_source: 'depot.none' })), 11)
  t.regex((await trainer.recordOf('absent')).reason, /no table 'none' in database 'depot'; there are/)
})
