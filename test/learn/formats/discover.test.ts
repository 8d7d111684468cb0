import test from 'ava'
import { discoverNames } from '../../../learn/formats/discover.ts'
import type { FormatName } from '../../../learn/formats/index.ts'

const bytesOf = (text: string) =>
  async function* () {
    const bytes = new TextEncoder().encode(text)
    for (let at = 0; at < bytes.length; at += 10_000) yield bytes.subarray(at, at + 10_000)
  }

const namesOf = (format: FormatName, text: string) => discoverNames(bytesOf(text)(), format, ',')

test('members of the first thousand rows are attributes, in the order of their first appearance', async (t) => {
  const many = '{"y":1,"a":2}\n'.repeat(998)
  t.deepEqual(await namesOf('JSON', `${many}{"a":1,"b":1}\n${many.repeat(20)}{"late":3}\n`), ['y', 'a', 'b'])
  t.deepEqual(await namesOf('KV', `${'y:1 a:2\n'.repeat(998)}y:1 x:3\n`), ['y', 'a', 'x'])
})

test('a member that only rows after the first thousand have is no attribute, however the bytes arrive', async (t) => {
  async function* atOnce(text: string) {
    yield new TextEncoder().encode(text)
  }
  const written: readonly (readonly [FormatName, string, string, string])[] = [
    ['JSON', '{"a":1}\n', '{"b":1}\n', '{"late":3}\n'],
    ['KV', 'a:1\n', 'b:1\n', 'late:3\n'],
  ]
  for (const [format, row, thousandth, late] of written) {
    const text = `${row.repeat(999)}${thousandth}${late}`
    t.deepEqual(await discoverNames(atOnce(text), format, ','), ['a', 'b'], format)
    t.deepEqual(await namesOf(format, text), ['a', 'b'], format)
  }
})

test('a header that is no UTF-8 is refused: the row after it is no header', async (t) => {
  async function* bytes() {
    yield Buffer.from('a,caf\xe9\nred,b\n1,2\n', 'latin1')
  }
  await t.throwsAsync(discoverNames(bytes(), 'CSV', ','), {
    message: 'attr_list is absent, so the first row has to be a header; it is broken: the row is no UTF-8',
  })
  async function* after() {
    yield Buffer.from('a,b\ncaf\xe9,2\n', 'latin1')
  }
  t.deepEqual(await discoverNames(after(), 'CSV', ','), ['a', 'b'])
})

test('a broken header says where it is broken, and a quote that stays open ends within a row', async (t) => {
  await t.throwsAsync(namesOf('CSV', 'a,"b"c,d\n1,2,3\n'), {
    message:
      'attr_list is absent, so the first row has to be a header; it is broken: column 2: text follows the closing quote of a cell',
  })
  const open = /it is broken: a quoted cell of the row has no closing quote/
  await t.throwsAsync(namesOf('CSV', 'a,"b\n1,2'), { message: open })
  const begin = process.cpuUsage()
  await t.throwsAsync(namesOf('CSV', `a,"b\n${'1,2\n'.repeat(1_000_000)}`), { message: open })
  const { user, system } = process.cpuUsage(begin)
  t.true((user + system) / 1000 < 4_000, `${user + system} us of the processor`)
  t.deepEqual(await namesOf('CSV', '\n"a\nb",c\n1,2\n'), ['a\nb', 'c'])
})
