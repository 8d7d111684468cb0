import test from 'ava'
import type { Inner } from '../../../api/mcp/inner.ts'
import { readingTools } from '../../../api/mcp/reading-tools.ts'

const late = '{"errcode":-7,"error":["the events of shop.visits are not in ClickHouse after 2000 ms"]}'
const schema = { schema: 'shop', streams: [{ name: 'visits', type: 1, attr: [{ name: 'price', type: 9, stat: 3 }] }] }
const words = {
  schema: 'shop',
  streams: { visits: { attributes: { price: { type: 'integer', stats: ['summary'] } } } },
}

test('a stream whose newest events are late is described without samples, and the answer says why', async (t) => {
  const inner: Inner = async ({ path }) => {
    if (path.endsWith('/state')) return { status: 200, text: '{"state":1}' }
    if (path.endsWith('/schema')) return { status: 200, text: JSON.stringify(schema) }
    if (path.endsWith('/schema?as=words')) return { status: 200, text: JSON.stringify(words) }
    return { status: 504, text: late }
  }
  const describe = readingTools.find(({ name }) => name === 'describe_stream')
  const { status, text, more } = (await describe?.run({ schema: 'shop', stream: 'visits' }, inner)) ?? {}
  t.is(status, 200)
  t.like(JSON.parse(text ?? ''), {
    ...{ state: 'on', kind: 'posted', samples: [] },
    definition: { streams: { visits: { attributes: { price: { type: 'integer', stats: ['summary'] } } } } },
  })
  t.regex(text ?? '', /select aggr\(price\) from shop\.visits rollup 60/)
  t.is(more, `the sample events could not be read: ${late}`)
})
