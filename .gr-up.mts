import { mkdtempSync, rmSync } from 'node:fs'
import { createEmbeddedClickHouse } from './infra/clickhouse/embedded.ts'
import { migrate } from './infra/clickhouse/migrate.ts'
import { openFolderStore } from './infra/buckets/folder-store.ts'
import { createBuckets } from './infra/buckets/buckets.ts'
import { createSchema } from './sql/schema/ddl/schema.ts'
import { decodeSchema } from './sql/schema/decode.ts'
import { createStreamUpload } from './api/services/stream-upload.ts'
import { noColumns } from './sql/query/compile/source.ts'
const dir = mkdtempSync('/tmp/gr/db-')
const ch = createEmbeddedClickHouse({ path: dir + '/ch' })
await migrate(ch)
const schema = decodeSchema({ schema: 'm', streams: [{ name: 's', type: 1, inpt: [], swsz: 86400, attr: [{ name: 'n', type: 9 }, { name: 'city', type: 5 }, { name: 'd', type: 11 }] }] } as any)
for (const s of createSchema(schema)) await ch.run(s)
const now = Date.now() * 1000
await ch.run(`INSERT INTO m.s__in (_pk, _seq, n, city, d) SELECT ${now} - 3600000000 + toInt64(number), number, number, 'x', number / 7 FROM numbers(30000)`)
for (let i = 0; i < 10; i++) await ch.run(`INSERT INTO m.s__in (_pk, _seq, n, city, d) SELECT ${now} - 1600000000 + toInt64((number + ${i * 1000}) * 1000), 30000 + number + ${i * 1000}, number, concat('city of number ', repeat('abcdefghij', 10000)), number / 7 FROM numbers(1000)`)
const store = await openFolderStore(dir + '/b'); await createBuckets(store).ensure()
const sizes: number[] = []
const upload = createStreamUpload({ clickhouse: { ...ch, read: async (s: any, f: any) => { const b = await ch.read(s, f); sizes.push(b.length); return b } } as any, feeder: { caughtUp: async () => {} } as any, clock: { last: () => 1e9, next: () => 1 }, objects: store.objects })
const target = { schema, stream: schema.streams[0]!, columns: noColumns, queues: [], on: true } as any
for (let r = 0; r < 1; r++) {
  let peak = 0; const t = setInterval(() => { peak = Math.max(peak, process.memoryUsage.rss()) }, 5)
  const before = process.memoryUsage.rss()
  const b = performance.now()
  const res = await upload(target, { model: 'x', file: 'f', duration_s: 86400, eventual: true })
  clearInterval(t)
  console.log(res, (performance.now() - b).toFixed(0), 'ms', 'rss before', before / 1e6 | 0, 'peak', peak / 1e6 | 0, sizes.map((s) => (s / 1e6).toFixed(1)).join(' '))
}
await ch.close(); rmSync(dir, { recursive: true }); process.exit(0)
