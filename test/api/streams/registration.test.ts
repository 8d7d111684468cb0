import test from 'ava'
import { type ClickHouse, ClickHouseError } from '../../../infra/clickhouse/clickhouse.ts'
import { silentLogger } from '../../../infra/logger.ts'
import { startService } from '../../support/service.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'
import { differences } from './compare.ts'
import type { Event, WireSchema } from './oracle.ts'

/** ClickHouse, but for the statement after `left` more that is no read, and all after it for as long as `broken`. */
const faulty = { left: Number.POSITIVE_INFINITY, once: true, count: 0 }
const breakable = (part: ClickHouse): ClickHouse => ({
  ...part,
  run: async (statement) => {
    const isFault = faulty.left === 0 || (!faulty.once && faulty.left < 0)
    faulty.left--
    faulty.count++
    if (isFault) throw new ClickHouseError(999, 'it fails here')
    return part.run(statement)
  },
})
const failAt = (statement: number, once = true): void => {
  faulty.left = statement
  faulty.once = once
}
const heal = (): void => {
  faulty.left = Number.POSITIVE_INFINITY
  faulty.count = 0
}

const folder = temporaryFolder()
let service = await startService({ DATA_DIR: folder }, silentLogger(), { clickhouse: breakable })
test.after.always(() => service.close())
const restart = async () => {
  await service.close()
  service = await startService({ DATA_DIR: folder }, silentLogger(), { clickhouse: breakable })
}

const small = (name: string): WireSchema => ({
  schema: name,
  streams: [
    {
      name: 's',
      type: 1,
      swsz: 0,
      attr: [
        { name: 'who', type: 5 },
        { name: 'n', type: 9, stat: 'RSTAT' },
      ],
      gpby: [{ gpat: ['who'], iatr: 'n', stat: 'COUNT' }],
      rels: [{ sub: 'who', obj: 'n', rel: 'HAS' }],
      fltr: [
        { name: 'f', fqry: { name: '{"query":[{"key":"n","cmp_op":0,"val":1}]}', type: 1 }, fatr: ['n'], ostm: 'big' },
      ],
      enty: [
        {
          name: 'e',
          opid: 1,
          ratr: ['c'],
          iatr: ['n'],
          pkatr: [{ name: 'who', type: 5, iatr: ['who'] }],
          rstm: 'people',
        },
      ],
    },
    { name: 'big', type: 2, inpt: ['s'], swsz: 0, attr: [{ name: 'n', type: 9, stat: 'RSTAT' }] },
    { name: 'people', type: 4, inpt: ['s'], attr: [] },
  ],
})
const events = (from: number, count: number): Event[] =>
  Array.from({ length: count }, (_, i) => ({
    _pk: 1_700_000_000_000_000 + (from + i) * 7_000_000,
    who: 'abc'[i % 3],
    n: i,
  }))

test.serial('a registration that fails at any statement leaves nothing behind, and may come again', async (t) => {
  heal()
  await service.client.register(small('whole'))
  const statements = faulty.count
  t.true(statements > 15)
  for (let at = 0; at < statements; at++) {
    failAt(at)
    const { status, body } = await service.client.post('/stream', small('part'))
    heal()
    t.is(status, 503, `statement ${at}`)
    t.is(body.errcode, -7)
    t.is((await service.client.get('/stream/part/schema')).status, 404)
    t.is((await service.client.post('/stream/part/s', { n: 1 })).status, 404)
  }
  await service.client.register(small('part'))
  const posted = events(0, 9)
  await service.client.lines('part.s', posted)
  t.deepEqual(await differences(service.client, small('part'), { s: posted }), [])
  await service.client.ok(service.client.send('DELETE', '/stream/part'))
})

test.serial(
  'a registration that cannot even be undone is undone later, and leaves nothing to another of its name',
  async (t) => {
    for (const at of [2, 9, 17]) {
      failAt(at, false)
      t.is((await service.client.post('/stream', small('left'))).status, 503)
      heal()
      const other = {
        schema: 'left',
        streams: [{ name: 's', type: 1, attr: [{ name: 'n', type: 5, stat: 'UCOUNT' }] }],
      }
      await service.client.register(other)
      await service.client.event('left.s', { n: 'text' })
      t.is((await service.client.rows('select aggr(n) from left.s'))[0]?.v, 1)
      await service.client.ok(service.client.send('DELETE', '/stream/left'))
      failAt(at, false)
      t.is((await service.client.post('/stream', small('left'))).status, 503)
      heal()
      await restart()
      t.is((await service.client.get('/stream/left/schema')).status, 404)
      await service.client.register(other)
      await service.client.ok(service.client.send('DELETE', '/stream/left'))
    }
  },
)

const edited = (name: string): WireSchema => {
  const [s, big, people] = small(name).streams
  if (!s || !big || !people) throw new Error('three streams')
  return {
    schema: name,
    streams: [
      {
        ...s,
        attr: [...s.attr, { name: 'x', type: 11, stat: 'RSTAT' }],
        gpby: [
          ...(s.gpby ?? []),
          { gpat: ['who'], iatr: 'x', stat: 'RSTAT' },
          { gpat: ['n'], iatr: 'who', stat: 'UCOUNT' },
        ],
        rels: [...(s.rels ?? []), { sub: 'n', obj: 'who', rel: 'OF' }],
        fltr: [
          ...(s.fltr ?? []),
          {
            name: 'g',
            fqry: { name: '{"query":[{"key":"who","cmp_op":4,"val":"a"}]}', type: 1 },
            fatr: ['who', 'n'],
            ostm: 'of_a',
          },
        ],
      },
      big,
      people,
      { name: 'of_a', type: 2, inpt: ['s'], swsz: 0, attr: [{ name: 'n', type: 9, stat: 'RSTAT' }] },
    ],
  }
}

test.serial('an edit that fails at any statement is done in the end, or not begun, and loses no event', async (t) => {
  heal()
  await service.client.register(small('count'))
  faulty.count = 0
  await service.client.ok(service.client.send('PUT', '/stream', edited('count')))
  const statements = faulty.count
  t.true(statements > 30)
  const step = Number(process.env.EVERY_STATEMENT === '1' ? 1 : 13)
  for (let at = 0; at < statements; at += step) {
    const name = `e${at}`
    await service.client.register(small(name))
    const posted = events(0, 12)
    await service.client.lines(`${name}.s`, posted)
    await service.client.count(`select count(*) from ${name}.s`)
    failAt(at)
    const { status } = await service.client.send('PUT', '/stream', edited(name))
    heal()
    t.true([200, 503].includes(status), `statement ${at}: ${status}`)
    const more = events(100, 6)
    const isDone = await until('the edit ends', async () => {
      const { status: taken } = await service.client.send('POST', `/stream/${name}/s`, { ...more[0], _id: 'once' })
      return taken === 200
    })
    t.true(isDone)
    await service.client.lines(`${name}.s`, more.slice(1))
    const body = await service.client.get(`/stream/${name}/schema`)
    if (at % 2 === 1) await restart()
    await until('the edit ends', async () => {
      const got = await service.client.ok(service.client.get(`/stream/${name}/schema`))
      return got.streams.length === (at === 0 ? 3 : 4) || body.status === 0
    })
    const isEdited = (await service.client.ok(service.client.get(`/stream/${name}/schema`))).streams.length === 4
    const schema = isEdited ? edited(name) : small(name)
    let found: string[] = []
    await until('all is filled', async () => {
      found = await differences(service.client, schema, {
        s: [...posted, { ...more[0], _id: 'once' } as Event, ...more.slice(1)],
      })
      return found.length === 0
    }).catch(() => undefined)
    t.deepEqual(found, [], `statement ${at}`)
    await service.client.ok(service.client.send('DELETE', `/stream/${name}`))
  }
})

test.serial('a name that a database of tables has is refused, and the other way round', async (t) => {
  const table = { table_name: 't', table_type: 1, key_type: 1 }
  await service.client.ok(service.client.post('/db/shared/table', table))
  const { status, body } = await service.client.post('/stream', small('shared'))
  t.is(status, 409)
  t.regex(body.error[0], /shared is the name of a database already/)
  await service.client.register(small('ours'))
  t.is((await service.client.post('/db/ours/table', table)).status, 409)
  await service.client.ok(service.client.send('DELETE', '/stream/ours'))
  t.is((await service.client.post('/db/ours/table', table)).status, 200)
})

test.serial('twenty registrations of one schema at once make one', async (t) => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => service.client.post('/stream', small('same'))))
  t.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  t.is(answers.filter(({ body }) => body.error === undefined).length, 1)
})
