/** A schema with every kind of thing that hangs on a stream, and all that clients can ask of it. */
import type { Client } from '../../support/requests/client.ts'

export const input = (name: string, more: Record<string, unknown> = {}) => ({
  name,
  type: 1,
  swsz: 0,
  attr: [
    { name: 'who', type: 5, stat: 'UCOUNT' },
    { name: 'n', type: 9, stat: 'RSTAT' },
  ],
  ...more,
})

export const shop = (schema: string) => ({
  schema,
  streams: [
    input('visits', {
      gpby: [{ gpat: ['who'], iatr: 'n', stat: 'RSTAT', gran: 300 }],
      fltr: [
        {
          name: 'large',
          fqry: { name: '{"query":[{"key":"n","cmp_op":0,"val":10}],"qtype":1}', type: 1 },
          fatr: ['n'],
          ostm: 'large',
        },
      ],
      enty: [
        {
          name: 'visits',
          iatr: ['n'],
          opid: 1,
          rstm: 'people',
          ratr: ['visits'],
          pkatr: [{ name: 'who', iatr: ['who'], type: 5 }],
        },
      ],
      rels: [{ sub: 'who', rel: 'TOOK', obj: 'n' }],
    }),
    { name: 'large', type: 2, swsz: 0, attr: [{ name: 'n', type: 9, stat: 'RSTAT' }] },
    {
      name: 'people',
      type: 4,
      attr: [
        { name: 'who', type: 5, pk: 1 },
        { name: 'visits', type: 9 },
      ],
    },
    input('lone'),
  ],
})

/** Events of 20 numbers from `first` on. */
export const visits = (first: number) =>
  Array.from({ length: 20 }, (_, i) => ({
    _pk: 1_700_000_000_000_000 + (first + i) * 1e6,
    who: `p${(first + i) % 3}`,
    n: first + i,
  }))

/** Every answer about a schema, of which none may change by a deletion that is undone. */
export async function answersOf(client: Client, schema: string): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {}
  const withoutTime = (text: string) =>
    text.replace(/"k":1[0-9]{15},("v":"\{\\"fromts)/g, '$1').replace(/\\"tots\\":\d+/g, '')
  for (const sql of [
    `select * from ${schema}.visits`,
    `select count(*) from ${schema}.lone`,
    `select * from ${schema}.large`,
    `select * from ${schema}.people`,
    `select aggr(n) from ${schema}.visits rollup 1`,
    `select aggr(who) from ${schema}.visits rollup 1`,
    `select aggr(n) from ${schema}.visits groupby who rollup 1`,
    `select aggr(n) from ${schema}.large rollup 1`,
  ])
    answers[sql] = withoutTime((await client.query(sql)).text)
  answers.graph = (await client.graph(`${schema}.visits`, 's=>(who:p1)-[*]->(n:*); RETURN * SORT_ASC obj')).body
  answers.info = (await client.get(`/stream/${schema}/info`)).body
  answers.body = (await client.get(`/stream/${schema}/schema`)).text
  answers.states = await Promise.all(
    ['visits', 'large', 'people', 'lone'].map(async (st) => (await client.get(`/stream/${schema}/${st}/state`)).body),
  )
  return answers
}
