/** A process that writes to LMDB without end, and whose parts never close: stop.process.test.ts runs it. */
import { open } from 'lmdb'
import { createLogger } from '../../infra/logger.ts'
import { onStop } from '../../infra/stop.ts'

const [path = ''] = process.argv.slice(2)
const root = open({ path })

async function write(): Promise<never> {
  for (let i = 0; ; i++) await root.transaction(() => void root.put('key', i))
}

onStop(createLogger('silent'), () => new Promise(() => {}), 200)
void Promise.all(Array.from({ length: 4 }, write))
console.log('writes')
