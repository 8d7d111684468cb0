/** Trainings that ask for more memory than they may have. */
import test from 'ava'
import { startService } from '../../support/service.ts'
import { pointsCsv } from './data.ts'
import { createTrainer, requestOf } from './trainer.ts'

const { client, close } = await startService({ MAX_TRAINING_MB: '64' })
test.after.always(close)
const trainer = createTrainer(client)

const attributes = (names: readonly string[], type: string) => [
  ...names.map((name, position) => ({ name, position, type })),
  { name: 'label', position: names.length, type: 'STRING' },
]
const details = (target_idx: number) => ({ target_idx })
const logOf = async (model: string): Promise<string[]> => (await trainer.recordOf(model)).train_log.log

test('ids too many for the memory are hashed into fewer columns, the log says so, and the model predicts', async (t) => {
  const names = ['a', 'b', 'c']
  const line = (i: number) => `id${i},user${i * 7},city${i * 13},class ${i % 40}`
  await trainer.upload('ids', Array.from({ length: 20_000 }, (_, i) => line(i)).join('\n'))
  const more = { attr_list: attributes(names, 'STRING') }
  t.is(await trainer.train('ids', { algo_type: 'LIN', details: details(3), more }), 25)
  const log = await logOf('ids')
  t.true(
    log.some((each) => /^words are hashed into fewer columns: .* MAX_TRAINING_MB is 64/.test(each)),
    log.join('\n'),
  )
  t.regex(
    log.join('\n'),
    /attribute 'a': words hashed into (?:[1248],\d{3}|\d{3}) buckets, as more columns would take more memory than trainings may/,
  )
  const body = { 'schema-name': 'shop', model_name: 'ids', algo_type: 'LIN', data: line(4).replace(/,[^,]*$/, '') }
  const answer = await client.post('/ml/pred/2', body)
  t.is(answer.status, 200, JSON.stringify(answer))
})

test('a training that would take too much whatever is done ends in state 18, with the figure and the setting', async (t) => {
  const names = Array.from({ length: 200 }, (_, i) => `n${i}`)
  const line = `${names.map((_, i) => i % 10).join(',')}`
  await trainer.upload(
    'wide',
    Array.from({ length: 20_000 }, (_, i) => `${line},${i % 2 === 0 ? 'yes' : 'no'}`).join('\n'),
  )
  const more = { attr_list: attributes(names, 'DOUBLE') }
  t.is(await trainer.train('wide', { algo_type: 'LIN', details: details(200), more }), 18)
  const last = (await logOf('wide')).at(-1) ?? ''
  t.regex(last, /MAX_TRAINING_MB is 64/)
  t.regex(last, /they need fewer rows or attributes|it needs fewer rows/)
})

test('trainings that ask for more than there is together go one after the other', async (t) => {
  const models = ['one', 'two', 'three']
  for (const model of models) await trainer.upload(model, pointsCsv(20_000))
  for (const model of models) await client.ok(client.post('/ml/train', requestOf(model, { algo_type: 'TREE' })))
  for (const model of models) t.is(await trainer.ended(model), 25)
})
