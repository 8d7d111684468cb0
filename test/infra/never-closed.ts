/** A process whose parts never close, and that writes to LMDB without end, or stands still: stop.process.test.ts runs it. */
import { open } from 'lmdb'
import { createLogger } from '../../infra/logger.ts'
import { onStop } from '../../infra/stop.ts'

const [path = '', how = 'writes'] = process.argv.slice(2)
const root = open({ path })

async function write(): Promise<never> {
  for (let i = 0; ; i++) await root.transaction(() => void root.put('key', i))
}

/** Holds the process's own thread, as closing embedded ClickHouse may. */
const standStill = (): unknown => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)

onStop(
  createLogger('silent'),
  async () => {
    if (how === 'stands still') standStill()
    await new Promise(() => {})
  },
  200,
)
if (how === 'writes') void Promise.all(Array.from({ length: 4 }, write))
else setInterval(() => {}, 1_000)
console.log(how)
