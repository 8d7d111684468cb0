/** Claims keys and keeps answers one after the other, and reports each: `node answers-writer.ts <folder> <n>`. */
import { writeSync } from 'node:fs'
import { createKeptAnswers } from '../../../../infra/log/kafka/answers.ts'

const [, , path = '', count] = process.argv
const kept = createKeptAnswers(path)
for (let n = 0; n < Number(count); n++) {
  const keyed = [{ key: `k${n}`, answer: `answer ${n}`, seq: n + 1 }]
  await kept.claim('s.a', keyed, new Map())
  writeSync(1, `claimed ${n}\n`)
  await kept.put('s.a', keyed)
  writeSync(1, `kept ${n}\n`)
}
process.exit(0)
