/** Vendors' own clients, as they publish them, pointed at Weir. */
import test from 'ava'
import { ensureSenders, importSender } from '../../../scripts/parts/senders.js'
import { startService } from '../../support/service.ts'

const folder = await ensureSenders()
const having = folder === undefined ? test.serial.skip : test.serial
const from = (name: string) => importSender(folder ?? '', name)

const ADMIN_KEY = 'the-key-of-the-one-who-may-do-all'
const { client, url, close } = await startService({ API_KEYS: 'require', ADMIN_KEY })
test.after.always(close)
const asAdmin = { 'x-api-key': ADMIN_KEY }
const keyOf = async (schema: string): Promise<string> =>
  (await client.ok(client.post('/keys', { name: 'k', scopes: ['ingest'], on: [`schema:${schema}`] }, asAdmin))).key
const eventsOf = async (stream: string): Promise<Record<string, unknown>[]> => {
  const { rows } = await client.ok(client.send('POST', '/db/d/query', { sql: `select * from ${stream}` }, asAdmin))
  return rows.map(({ v }: { v: string }) => JSON.parse(v))
}

having('InfluxDB’s client for JavaScript writes points, and reads why one is refused', async (t) => {
  type Point = {
    tag(name: string, value: string): Point
    floatField(name: string, value: number): Point
    timestamp(at: number): Point
  }
  type WriteApi = {
    writePoint(point: Point): void
    writeRecord(line: string): void
    flush(): Promise<void>
    close(): Promise<void>
  }
  const { InfluxDB, Point } = (await from('@influxdata/influxdb-client')) as {
    InfluxDB: new (of: object) => { getWriteApi(org: string, bucket: string, precision: string, of?: object): WriteApi }
    Point: new (measurement: string) => Point
  }
  const attr = [
    { name: 'host', type: 'STRING' },
    { name: 'value', type: 'DOUBLE' },
  ]
  await client.ok(
    client.post('/stream', { schema: 'plant', streams: [{ name: 'load', type: 1, swsz: 0, attr }] }, asAdmin),
  )
  const influx = new InfluxDB({ url, token: await keyOf('plant') })
  const gzipThreshold = 100
  const api = influx.getWriteApi('any', 'plant', 'ms', { gzipThreshold, maxRetries: 0 })
  for (let i = 0; i < 200; i++)
    api.writePoint(
      new Point('load')
        .tag('host', `h ${i % 3},=`)
        .floatField('value', i / 2)
        .timestamp(1_793_491_200_000 + i),
    )
  await api.close()
  const events = await eventsOf('plant.load')
  t.is(events.length, 200)
  t.true(events.every(({ host, value }) => /^h [012],=$/.test(String(host)) && typeof value === 'number'))

  const bad = influx.getWriteApi('any', 'plant', 'ms', { maxRetries: 0 })
  bad.writeRecord('load value=much 1793491200000')
  const error = await t.throwsAsync(bad.flush())
  t.regex(String(error?.message), /line 1: field "value": "much" is no number/)
  await bad.close().catch(() => {})
})
