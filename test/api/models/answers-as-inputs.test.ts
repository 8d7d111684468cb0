/** Attributes that a model fills: events that lack an input of it, and trainings from the events that it filled. */
import test from 'ava'
import { startService } from '../../support/service.ts'
import { createTrainer } from './trainer.ts'

const service = await startService()
const { client } = service
test.after.always(() => service.close())
const trainer = createTrainer(client)

const attributes = [
  { name: 'age', type: 'DOUBLE' },
  { name: 'income', type: 'DOUBLE' },
  { name: 'job', type: 'STRING' },
  { name: 'good', type: 'STRING' },
]
const guess = {
  name: 'guess',
  type: 'STRING',
  opnm: 'PRED',
  algo: 'TREE',
  attr_type: 'HYB',
  model: 'risk',
  iatr: ['age', 'income', 'job'],
}
/** From the answer, at one remove and at two. */
const derived = [
  { name: 'echo', type: 'STRING', opnm: 'COPY', iatr: ['guess'] },
  { name: 'length', type: 'LONG', opnm: 'LENGTH', iatr: ['echo'] },
]
const ofAge = { pkatr: [{ name: 'age', type: 11, iatr: ['age'] }], rstm: 'ages' }
const people = Array.from({ length: 300 }, (_, n) => ({
  age: 20 + (n % 50),
  income: 100 + ((n * 7) % 90),
  job: ['cook', 'smith', 'clerk'][n % 3],
  good: n % 50 > 25 ? 'yes' : 'no',
}))

test.before(async () => {
  await client.register({
    schema: 'shop',
    streams: [
      {
        ...{ name: 'loans', type: 1, swsz: 0, attr: attributes, catr: [guess, ...derived] },
        enty: [
          { ...ofAge, name: 'g', opid: 2, ratr: ['guesses'], iatr: ['echo'] },
          { ...ofAge, name: 'i', opid: 3, ratr: ['incomes', 'lengths'], iatr: ['income', 'length'] },
        ],
        fltr: [
          {
            name: 'some',
            fqry: { name: '{"query":[{"key":"age","cmp_op":1,"val":0}],"qtype":1}', type: 1 },
            fatr: ['age', 'income', 'good', 'guess'],
            ostm: 'copies',
          },
        ],
      },
      { name: 'ages', type: 4, inpt: ['loans'] },
      {
        ...{ name: 'copies', type: 2, inpt: ['loans'], swsz: 0 },
        attr: [...attributes.slice(0, 2), attributes[3], { name: 'guess', type: 'STRING' }],
      },
    ],
  })
  await client.lines('shop.loans', people.slice(0, 200))
  const details = { training_source_type: 'STREAM', 'stream-name': 'loans', target: 'good' }
  const state = await trainer.train('risk', {
    algo_type: 'TREE',
    more: { algo_param: { trees: 20 }, attr_list: undefined, training_details: details },
  })
  if (state !== 25) throw new Error(`state ${state}`)
})

const metric = async (reason: string): Promise<number> => {
  const { text } = await client.get('/metrics')
  return Number(
    new RegExp(`weir_unscored_events_total\\{stream="shop.loans",attribute="guess",reason="${reason}"\\} (\\d+)`).exec(
      text,
    )?.[1] ?? 0,
  )
}

test.serial(
  'an event that lacks inputs of a model is predicted, one that lacks all is counted and told of',
  async (t) => {
    const known = { age: 60, income: 120, job: 'cook' }
    for (const missing of ['income', 'job', 'age'] as const) {
      const { [missing]: _, ...rest } = known
      for (const event of [rest, { ...known, [missing]: null }]) {
        const _pk = await client.event('shop.loans', event)
        const [stored] = await client.documents(`select * from shop.loans where _pk = ${_pk}`)
        t.true(['yes', 'no'].includes(stored.guess), JSON.stringify(stored))
        const line = { age: null, income: null, job: null, ...event }
        const asked = { 'schema-name': 'shop', model_name: 'risk', input_format: 'JSON', data: JSON.stringify(line) }
        t.is(stored.guess, (await client.ok(client.post('/ml/pred/2', asked))).predict_labels)
      }
    }
    t.is(await metric('no inputs'), 0)
    const _pk = await client.event('shop.loans', { good: 'yes' })
    const [stored] = await client.documents(`select * from shop.loans where _pk = ${_pk}`)
    t.is(stored.guess, undefined)
    t.is(await metric('no inputs'), 1)
    t.is(await metric('no model'), 200)
    const { error } = await client.ok(client.get('/stream/shop/info'))
    t.regex(error.join('\n'), /guess of stream shop\.loans .* 200 for no model, 1 for no inputs/)
  },
)

test.serial(
  'a training by target alone leaves out what models have answered, also in a copy, and says so',
  async (t) => {
    await client.lines('shop.loans', people.slice(200))
    for (const stream of ['loans', 'copies'] as const) {
      const training_details = { training_source_type: 'STREAM', 'stream-name': stream, target: 'good' }
      const model = `of_${stream}`
      t.is(
        await trainer.train(model, {
          algo_type: 'TREE',
          more: { algo_param: { trees: 20 }, attr_list: undefined, training_details },
        }),
        25,
      )
      const card = await client.ok(client.get(`/ml/shop/${model}`))
      const names = card.attributes.map(({ name }: { name: string }) => name)
      for (const name of ['guess', 'echo', 'length']) t.false(names.includes(name), `${name} of ${stream}`)
      t.true(names.includes('age'))
      const left = {
        loans:
          /^not learnt from: guess, echo, length, which models answered \(PRED\), or which come from such answers/m,
        copies: /^not learnt from: guess, which models answered \(PRED\);/m,
      }
      t.regex((await trainer.statusOf(model)).notes.join('\n'), left[stream])
    }
  },
)

test.serial('a training from an entity stream leaves out statistics of what models have answered', async (t) => {
  const training_details = { training_source_type: 'STREAM', 'stream-name': 'ages', target: 'incomes_avg' }
  t.is(await trainer.train('of_ages', { algo_type: 'LIN', more: { attr_list: undefined, training_details } }), 25)
  const { attributes: learnt } = await client.ok(client.get('/ml/shop/of_ages'))
  const names: string[] = learnt.map(({ name }: { name: string }) => name)
  t.true(names.includes('incomes_cnt'))
  t.deepEqual(
    names.filter((name) => /guesses|lengths/.test(name)),
    [],
  )
  t.regex(
    (await trainer.statusOf('of_ages')).notes.join('\n'),
    /^not learnt from: .*guesses_unique.*lengths_cnt.*, which models answered \(PRED\), or which come from/m,
  )
})

test.serial('an attr_list that names an answer of a model is noted', async (t) => {
  const training_details = { training_source_type: 'STREAM', 'stream-name': 'loans', target_idx: 2 }
  const attr_list = [
    { name: 'age', position: 0, type: 'DOUBLE' },
    { name: 'guess', position: 1, type: 'STRING' },
    { name: 'good', position: 2, type: 'STRING' },
    { name: 'length', position: 3, type: 'LONG' },
  ]
  t.is(
    await trainer.train('named', {
      algo_type: 'TREE',
      more: { algo_param: { trees: 20 }, attr_list, training_details },
    }),
    25,
  )
  const notes = (await trainer.statusOf('named')).notes.join('\n')
  t.regex(notes, /attr_list names guess, which model risk answered \(PRED\)/)
  t.regex(notes, /attr_list names length, which comes from what model risk answered \(PRED\)/)
})
