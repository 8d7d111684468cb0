import test from 'ava'
import { createRandom } from '../../../learn/random.ts'
import { startService } from '../../support/service.ts'
import { createTrainer } from './trainer.ts'

const service = await startService()
const { client } = service
test.after.always(() => service.close())
const trainer = createTrainer(client)

/** One row of ten is rare, and often ones lie among them, more of them everywhere. */
const random = createRandom(4)
const rows = Array.from({ length: 600 }, (_, i) => {
  const isRare = i % 10 === 0
  const a = isRare ? 55 + 45 * random.uniform() : 100 * random.uniform()
  return { a, b: random.below(50), word: 'x', label: isRare ? 'rare' : 'often' }
})
const csv = `${rows.map(({ a, b, word, label }) => [a, b, word, label].join(',')).join('\n')}\n`

type LabelMetrics = { readonly label: string; readonly recall: number; readonly rows: number }

async function trained(
  model: string,
  algo_type: string,
  details: Readonly<Record<string, unknown>>,
  more: Readonly<Record<string, unknown>> = {},
) {
  await trainer.upload(model, csv)
  const state = await trainer.train(model, { algo_type, details, more })
  const { train_log, tuned_algo_params: tuned } = await trainer.recordOf(model)
  const metrics = await client.ok(client.get(`/ml/shop/${model}/metrics`))
  const byLabel: readonly LabelMetrics[] = metrics.by_label ?? []
  const rare = byLabel.find(({ label }) => label === 'rare')
  return { state, log: train_log.log.join('\n') as string, tuned, metrics, recall: rare?.recall ?? 0, held: rare?.rows }
}

for (const [algorithm, parameters] of [
  ['TREE', {}],
  ['LIN', {}],
  ['SVM', { probability: 1 }],
] as const) {
  test(`${algorithm}: balanced class weights find the rare rows that were held out, and count each of them once`, async (t) => {
    const more = { algo_param: parameters }
    const plain = await trained(`plain_${algorithm}`, algorithm, {}, more)
    const found = await trained(`balanced_${algorithm}`, algorithm, { class_weight: 'balanced' }, more)
    t.is(found.state, 25, found.log)
    t.true(found.recall > plain.recall + 0.4, `${found.recall} and ${plain.recall} without weights`)
    t.is(found.held, plain.held)
    t.regex(found.log, /class weights are balanced: rare 5, often 0.5556/)
    t.is(found.tuned.class_weight, 'balanced')
    // Probabilities of the data as they are: weights in numbers would move them to a half.
    t.true(found.metrics.log_loss < 0.5, `${found.metrics.log_loss}`)
  })
}

test('parameters of a training with balanced weights train once more', async (t) => {
  const { tuned } = await trained('again', 'LIN', { class_weight: 'balanced' })
  const { log, state } = await trained('again', 'LIN', {}, { algo_param: tuned })
  t.is(state, 25)
  t.regex(log, /class weights are balanced/)
})

test('a weight for a label that no row has is told in the notes', async (t) => {
  const more = { algo_param: { weight_label: ['rare', 'seldom'], weight: [2, 3] } }
  for (const algorithm of ['LIN', 'SVM', 'TREE']) {
    t.is((await trained(`stray_${algorithm}`, algorithm, {}, more)).state, 25)
    const { notes } = await trainer.statusOf(`stray_${algorithm}`)
    t.deepEqual(notes, ["weight_label 'seldom' is not a label of the data: its weight does nothing"], algorithm)
  }
})

const attr_list = ['a', 'b', 'word', 'label'].map((name, position) => ({ name, position }))

for (const algorithm of ['TREE', 'LIN', 'SVM']) {
  test(`${algorithm}: numbers that the data alone show have no classes to weigh, which the log says`, async (t) => {
    const details = { target_idx: 0, class_weight: 'balanced' }
    const { log, state } = await trained(`numbers_${algorithm}`, algorithm, details, { attr_list })
    t.is(state, 25, log)
    t.regex(log, /class_weight does nothing: the target is no classes/)
  })
}

test('texts are weighed, too', async (t) => {
  const text = rows.map(({ a, label }) => `${JSON.stringify({ text: a > 59 ? 'bad thing' : 'good thing', label })}\n`)
  await trainer.upload('texts', text.join(''))
  const details = { input_format: 'JSON', expected_format: 'JSON', target_idx: 0, class_weight: 'balanced' }
  t.is(await trainer.train('texts', { algo_type: 'IE_SENT', details, more: { attr_list: [] } }), 25)
  const { train_log } = await trainer.recordOf('texts')
  t.regex(train_log.log.join('\n'), /class weights are balanced: rare 5/)
})
