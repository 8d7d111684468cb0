import test from 'ava'
import fc from 'fast-check'
import { byPartition, cutLines, partitionOf } from '../../../../../infra/log/kafka/produce/queue.ts'
import '../../../../support/random/seed.ts'

const lines = fc.array(fc.stringMatching(/^[a-zü🎈]{0,30}$/u), { minLength: 1, maxLength: 60 })
const join = (all: readonly string[]): string => all.map((line) => `${line}\n`).join('')

test('parts joined are the lines; each ends in a line feed and is short enough unless it is one long line', (t) => {
  fc.assert(
    fc.property(lines, fc.integer({ min: 1, max: 200 }), (all, most) => {
      const parts = [...cutLines(Buffer.from(join(all)), most)]
      const texts = parts.map((part) => part.toString())
      t.is(texts.join(''), join(all))
      for (const [i, { length }] of parts.entries()) {
        t.true(texts[i]?.endsWith('\n'))
        t.true(length <= most || texts[i]?.indexOf('\n') === (texts[i]?.length ?? 0) - 1)
      }
    }),
  )
  t.pass()
})

test('each line goes to the partition of its key, in order', (t) => {
  const keys = ['a', 'b', 'a', 'c', 'b', 'a']
  const found = byPartition(Buffer.from(join(['1', '2', '3', '4', '5', '6'])), keys, 5)
  for (const [partition, text] of found) {
    const mine = keys.flatMap((key, i) => (partitionOf(key, 5) === partition ? [`${i + 1}\n`] : []))
    t.is(text.toString(), mine.join(''))
  }
  t.is([...found.values()].join('').length, 12)
})

test('a key has the partition that Kafka gives it', (t) => {
  // From `org.apache.kafka.common.utils.UtilsTest`: murmur2 of these bytes.
  const hashes: Readonly<Record<string, number>> = {
    '21': -973932308,
    foobar: -790332482,
    'a-little-bit-long-string': -985981536,
    'a-little-bit-longer-string': -1486304829,
    lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8: -58897971,
  }
  for (const [key, hash] of Object.entries(hashes)) t.is(partitionOf(key, 2 ** 31), hash & 0x7fffffff, key)
})
