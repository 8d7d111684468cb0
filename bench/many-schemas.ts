import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createService } from '../api/service.ts'
import { readConfig } from '../infra/config.ts'
import { silentLogger } from '../infra/logger.ts'

/** 100 schemas of 10 streams in one process: what registering, starting and idling cost. */
const folder = process.env.MANY_DIR ?? mkdtempSync(join(tmpdir(), 'weir-many-'))
const config = readConfig({ DATA_DIR: folder, PORT: '0' })
const schemas = Number(process.argv[2] ?? 100)

const t0 = performance.now()
const service = await createService(config, silentLogger())
console.log('start ms', Math.round(performance.now() - t0))
await new Promise<void>((resolve) => service.server.listen(0, '127.0.0.1', resolve))
const address = service.server.address()
const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
const present = (await (await fetch(`${url}/stream/list`)).json()) as { num_schemas: number }
const times: number[] = []
for (let i = present.num_schemas; i < schemas; i++) {
  const streams = Array.from({ length: 10 }, (_, n) => ({
    name: `s${n}`,
    type: 1,
    attr: [
      { name: 'a', type: 5, stat: 'COUNT' },
      { name: 'b', type: 9, stat: 'RSTAT' },
    ],
    gpby: [{ gpat: ['a'], iatr: 'b', stat: 'RSTAT', gran: 300 }],
  }))
  const t = performance.now()
  const answer = await fetch(`${url}/stream`, { method: 'POST', body: JSON.stringify({ schema: `m${i}`, streams }) })
  if (!answer.ok) throw new Error(await answer.text())
  times.push(performance.now() - t)
}
times.sort((a, b) => a - b)
console.log('register ms: median', Math.round(times[times.length >> 1] ?? 0), 'max', Math.round(times.at(-1) ?? 0))
const cpu = process.cpuUsage()
const idle = performance.now()
await new Promise((resolve) => setTimeout(resolve, 10_000))
const used = process.cpuUsage(cpu)
console.log('idle cores', ((used.user + used.system) / 1000 / (performance.now() - idle)).toFixed(3))
console.log('resident MB', Math.round(process.memoryUsage.rss() / 1e6))
const t1 = performance.now()
await service.close()
console.log('close ms', Math.round(performance.now() - t1))
if (process.env.MANY_DIR === undefined) rmSync(folder, { recursive: true, force: true })
process.exit(0)
