import test from 'ava'
import { silentLogger } from '../../../infra/logger.ts'
import type { SqlStatement } from '../../../sql/statement.ts'
import { breakableClickHouse } from '../../support/clickhouse/breakable-clickhouse.ts'
import { isPicked } from '../../support/random/seed.ts'
import { startService } from '../../support/service.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'
import { differences } from '../streams/compare.ts'
import type { Event, WireSchema } from '../streams/oracle.ts'

const faults = breakableClickHouse()
const folder = temporaryFolder()
let service = await startService({ DATA_DIR: folder }, silentLogger(), { clickhouse: faults.wrap })
test.after.always(() => service.close())
const restart = async () => {
  await service.close()
  service = await startService({ DATA_DIR: folder }, silentLogger(), { clickhouse: faults.wrap })
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
  const statements = await faults.count(() => service.client.register(small('whole')))
  t.true(statements > 15)
  for (let at = 0; at < statements; at++) {
    if (!isPicked(at, 3)) continue
    faults.failAt(at)
    const { status, body } = await service.client.post('/stream', small('part'))
    faults.heal()
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
      faults.failAt(at, { lasting: true })
      t.is((await service.client.post('/stream', small('left'))).status, 503)
      faults.heal()
      const other = {
        schema: 'left',
        streams: [{ name: 's', type: 1, attr: [{ name: 'n', type: 5, stat: 'UCOUNT' }] }],
      }
      await service.client.register(other)
      await service.client.event('left.s', { n: 'text' })
      t.is((await service.client.rows('select aggr(n) from left.s')).at(-1)?.v, 1)
      await service.client.ok(service.client.send('DELETE', '/stream/left'))
      faults.failAt(at, { lasting: true })
      t.is((await service.client.post('/stream', small('left'))).status, 503)
      faults.heal()
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

const put = (schema: WireSchema) => service.client.send('PUT', '/stream', schema)
const streamsOf = async (name: string): Promise<number> =>
  (await service.client.ok(service.client.get(`/stream/${name}/schema`))).streams.length
/** One in this many statements fails in a run; all take minutes. */
const every = 61

for (const [title, lasting] of [
  ['an edit that fails once at any statement', false],
  ['an edit that ClickHouse refuses for good from any statement on', true],
] as const) {
  test.serial(`${title} stands or leaves the schema as it was, and loses no event`, async (t) => {
    const count = lasting ? 'counts' : 'count'
    await service.client.register(small(count))
    await service.client.lines(`${count}.s`, events(0, 3))
    const statements = await faults.count(() => service.client.ok(put(edited(count))))
    t.true(statements > 100)
    const outcomes = { undone: 0, done: 0 }
    const places = Array.from({ length: statements }, (_, at) => at)
    // The last few statements come after the edit stands.
    for (const at of places.filter((at) => isPicked(at, every) || at === statements - 2 || at === statements - 14)) {
      const name = `${lasting ? 'f' : 'e'}${at}`
      await service.client.register(small(name))
      const posted = events(0, 12)
      await service.client.lines(`${name}.s`, posted)
      await service.client.count(`select count(*) from ${name}.s`)
      faults.failAt(at, { lasting })
      const { status, body } = await put(edited(name))
      if (lasting) {
        const { schemas } = (await service.client.get('/health/ready')).body.parts
        t.like(schemas, { status: 'failing', takes: true, answers: false })
        t.is(schemas.failing[0].schema, name)
        if (at % 2 === 1) {
          // A schema that failed keeps failing, and all others are served all the same.
          faults.sparing(/^(CREATE DATABASE IF NOT EXISTS weir|CREATE TABLE IF NOT EXISTS weir\.)/)
          await restart()
          t.is((await service.client.get(`/stream/${count}/schema`)).status, 200)
        }
      }
      faults.heal()
      const isDone = status === 200
      outcomes[isDone ? 'done' : 'undone']++
      if (!isDone) t.regex(body.error[0], /it fails here/, `statement ${at}`)
      else t.regex(body.error[0], /it fails here/)
      const more = events(100, 6)
      await until('events are taken', async () => {
        const answer = await service.client.send('POST', `/stream/${name}/s`, { ...more[0], _id: 'once' })
        return answer.status === 200
      })
      await service.client.lines(`${name}.s`, more.slice(1))
      t.is(await streamsOf(name), isDone ? 4 : 3, `statement ${at}`)
      const all = { s: [...posted, { ...more[0], _id: 'once' } as Event, ...more.slice(1)] }
      await until(
        'nothing is left to do',
        async () => {
          const ready = (await service.client.get('/health/ready')).body
          return ready.parts.schemas.status === 'up'
        },
        60_000,
      )
      t.deepEqual(await differences(service.client, isDone ? edited(name) : small(name), all), [], `statement ${at}`)
      if (!isDone) {
        await service.client.ok(put(edited(name)))
        t.deepEqual(await differences(service.client, edited(name), all), [], `again, statement ${at}`)
      }
      const left = await faults.real().rows<{ name: string }>({
        text: "SELECT name FROM system.tables WHERE database = {name:String} AND position(name, '___') > 0",
        params: { name },
      })
      t.deepEqual(left, [], 'what an edit needs for itself is gone')
      await service.client.ok(service.client.send('DELETE', `/stream/${name}`))
    }
    t.true(outcomes.undone > 0 && outcomes.done > 0, JSON.stringify(outcomes))
  })
}

test.serial('an edit stands once that is written, though the answer to the write was lost', async (t) => {
  await service.client.register(small('lost'))
  const posted = events(0, 12)
  await service.client.lines('lost.s', posted)
  const states: unknown[] = []
  const isWrite = ({ text, params }: SqlStatement): boolean => {
    if (!text.startsWith('INSERT INTO weir.schemas')) return false
    states.push(params.state)
    return params.state === 'filling'
  }
  faults.loseAnswer(isWrite)
  t.is((await put(edited('lost'))).status, 200)
  t.deepEqual(states, ['editing', 'building', 'editing', 'filling'], 'from then on nothing undoes it')
  t.deepEqual(await differences(service.client, edited('lost'), { s: posted }), [])
  t.is((await service.client.get('/health/ready')).body.parts.schemas.status, 'up')
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

test.serial(
  'a schema that says the same with names for codes, or without its defaults, is there already',
  async (t) => {
    const streams = (stream: object, attribute: object) => [
      { name: 'st', ...stream, attr: [{ name: 'n', ...attribute }] },
    ]
    const given = {
      schema: 'worded',
      streams: streams({ type: 1, swsz: 86_400, inpt: [] }, { type: 9, stat: 'COUNT' }),
    }
    await service.client.register(given)
    for (const same of [
      streams({ type: 'input', inpt: [], swsz: 86_400 }, { type: 'LONG', stat: 'count' }),
      streams({ type: 1 }, { type: '9', stat: 1, gran: 60 }),
    ]) {
      const { status, body } = await service.client.post('/stream', { schema: 'worded', streams: same })
      const msg = 'schema worded is registered already'
      t.deepEqual([status, body], [200, { errcode: 0, msg, error: [msg] }])
    }
    const other = { schema: 'worded', streams: streams({ type: 1 }, { type: 9, stat: 'UCOUNT' }) }
    t.is((await service.client.post('/stream', other)).status, 409)
  },
)

test.serial('twenty registrations of one schema at once make one', async (t) => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => service.client.post('/stream', small('same'))))
  t.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  t.is(answers.filter(({ body }) => body.error === undefined).length, 1)
})
