/**
 * Appends events to a log, three at a time, and reports each acknowledged one: `node crash-writer.ts <folder> <n>`. With each
 * go a line of another queue and the state of rules: the number of events, the last hundred of them, and with most of them
 * enough values for the journal, which goes into the records all the time.
 */
import { writeSync } from 'node:fs'
import { createLmdbLog } from '../../../../infra/log/embedded/log.ts'
import { turnOf } from '../../../support/turn.ts'
import { keysOf } from './kept-together.ts'

const [, , path = '', count] = process.argv
const { log, turns } = createLmdbLog({ path, maxBytes: 2 ** 30, maintainRulesEvery_ms: 5 })
const space = 's.a/rule:1'

async function append(n: number): Promise<void> {
  const item = { space, key: 'last', isItem: true }
  const changes = [
    { space, key: 'count', isItem: false, seq: n + 1, value: n + 1 },
    { ...item, seq: n, pk: n, value: `event ${n}` },
    ...keysOf(n).map((key) => ({ space, key, isItem: false, seq: n, value: n })),
    ...(n < 100 ? [] : [{ ...item, seq: n - 100, value: undefined }]),
  ]
  // Some are larger than a page.
  const line = Buffer.from(`{"n":${n},"text":"${'x'.repeat((n % 50) * 400)}"}\n`)
  const lines = [{ queue: 's.made', lines: Buffer.from(`{"n":${n}}\n`), rows: 1 }]
  await turns.commit(turnOf('s.a', line, 1, { lines, changes }))
  writeSync(1, `acknowledged ${n}\n`)
}

const under: Promise<void>[] = []
for (let n = 0; n < Number(count); n++) {
  under.push(append(n))
  if (under.length === 3) await under.shift()
}
await Promise.all(under)
await log.close()
