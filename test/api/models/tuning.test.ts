import test from 'ava'
import { marked, reviews } from '../../learn/algorithms/text/corpora.ts'
import { startService } from '../../support/service.ts'
import { lineAttributes, lineCsv, pointsCsv } from './data.ts'
import { type Asked, createTrainer, requestOf } from './trainer.ts'

const service = await startService()
const { client } = service
const trainer = createTrainer(client)
test.after.always(() => service.close())

async function tuned(model: string, text: string, { more, details, ...asked }: Asked) {
  await trainer.upload(model, text)
  const request = { ...asked, details: { train_speed: 1, ...details }, more: { tune_params: 1, ...more } }
  const state = await trainer.train(model, request)
  const { tuned_algo_params: chosen, train_log } = await trainer.recordOf(model)
  const lines: string[] = train_log.log
  const metrics = await client.ok(client.get(`/ml/shop/${model}/metrics`))
  return { state, chosen, metrics, lines, log: lines.join('\n') }
}

test('TREE is tuned: depth, leaves, rate and rounds are chosen, and metrics have the spread over the folds', async (t) => {
  const { state, chosen, metrics, log, lines } = await tuned('tree', pointsCsv(300), { algo_type: 'TREE' })
  t.is(state, 25, log)
  t.regex(log, /^3 of 3 candidates were tried, \d of them given up early$/m)
  t.regex(
    log,
    /^chose max_depth \d, min_leaf \d+, learning_rate 0.1, trees \d+, early_stopping 0: accuracy 0\.\d+, spread over 5 folds 0\.\d+$/m,
  )
  t.true(lines.some((line) => line.startsWith('tuning done, selected params = {')))
  t.is(chosen.early_stopping, 0)
  t.true(
    lines.some((line) => line.startsWith(`training done: ${chosen.trees} rounds;`)),
    log,
  )
  t.true(chosen.train_perf > 0.85)
  const { folds } = metrics
  t.is(folds.measure, 'accuracy')
  t.is(folds.values.length, 5)
  t.true(folds.spread > 0 && folds.spread < 0.2)
  t.true(Math.abs(folds.mean - chosen.train_perf) < 0.01)
  const [version] = (await client.ok(client.get('/ml/shop/tree/versions'))).versions
  t.deepEqual(version.metrics.folds, folds)
})

test('a regression by TREE is tuned, and its folds are told in the units of the target', async (t) => {
  const details = { target_idx: 1 }
  const more = { attr_list: lineAttributes }
  const { state, metrics, log } = await tuned('line', lineCsv(200), { algo_type: 'TREE', details, more })
  t.is(state, 25, log)
  t.is(metrics.folds.measure, 'rmse')
  t.true(metrics.folds.mean < 0.3 && metrics.r2 > 0.9)
})

test('labels of texts are tuned, and the model predicts by what was chosen', async (t) => {
  const lines = reviews(150, 1).map(({ text, label }) => JSON.stringify({ label, text }))
  const asked = {
    algo_type: 'IE',
    details: { input_format: 'JSON', target_idx: undefined },
    more: { attr_list: undefined },
  }
  const { state, chosen, metrics, log } = await tuned('mood', lines.join('\n'), asked)
  t.is(state, 25, log)
  t.regex(log, /^9 of 9 candidates were tried/m)
  t.regex(log, /^tuning done, selected params = /m)
  // Single words say nothing about these labels.
  t.is(chosen.word_ngrams, 2)
  t.true(chosen.train_perf > 0.85)
  t.is(metrics.folds.measure, 'accuracy')
  const data = '{"text": "the room so great, the staff not bad"}'
  const request = { 'schema-name': 'shop', model_name: 'mood', algo_type: 'IE', input_format: 'JSON', data }
  t.is((await client.ok(client.post('/ml/pred/2', request))).predict_labels, 'good')
})

test('named entities are tuned by their f1', async (t) => {
  const lines = marked(120, 2).map((text) => JSON.stringify(text))
  const details = { input_format: 'JSON', target_idx: undefined }
  const more = { attr_list: undefined, algo_param: { max_iter: 5, hash_bits: 14 } }
  const { state, chosen, metrics, log } = await tuned('names', lines.join('\n'), { algo_type: 'IE_NER', details, more })
  t.is(state, 25, log)
  t.regex(log, /^6 of 6 candidates were tried/m)
  t.true([1, 2].includes(chosen.min_count))
  t.true([-13, -9, -5].includes(Math.log2(chosen.l2)))
  t.is(metrics.folds.measure, 'f1')
  t.true(metrics.folds.mean > 0.5 && metrics.folds.mean <= 1, log)
})

test('a budget ends the search: the log counts the candidates, and the model is there', async (t) => {
  for (const algo_type of ['TREE', 'SVM']) {
    const more = { tune_budget_s: 1e-9 }
    const { state, log, metrics } = await tuned(`hurried_${algo_type}`, pointsCsv(200), { algo_type, more })
    t.is(state, 25, log)
    t.regex(
      log,
      /^tuning ended after 1e-9 s \(tune_budget_s\): 0 of \d+ candidates were tried, 0 of them given up early$/m,
    )
    t.regex(log, /no candidate was tried in time, selected params = /)
    t.is(metrics.folds, undefined)
  }
})

test('a budget without tuning does nothing, and the answer says so', async (t) => {
  await trainer.upload('idle', pointsCsv(40))
  const asked = { algo_type: 'LIN', details: { tune_budget_s: '5' } }
  const { error, errcode } = await client.ok(client.post('/ml/train', requestOf('idle', asked)))
  t.is(errcode, 0)
  t.deepEqual(error, ['training_details.tune_budget_s does nothing: tune_params is not 1'])
  t.is(await trainer.ended('idle'), 25)
})
