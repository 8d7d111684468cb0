/** Appends events to a log one after the other, and reports each acknowledged one: `node crash-writer.ts <folder> <n>`. */
import { writeSync } from 'node:fs'
import { createLmdbLog } from '../../../../infra/log/embedded/log.ts'

const [, , path = '', count] = process.argv
const { log } = createLmdbLog({ path, maxBytes: 2 ** 30 })
for (let n = 0; n < Number(count); n++) {
  // The last ones are larger than a page.
  await log.append('s.a', Buffer.from(`{"n":${n},"text":"${'x'.repeat(n * 400)}"}\n`), 1)
  writeSync(1, `acknowledged ${n}\n`)
}
await log.close()
