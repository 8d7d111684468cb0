import test from 'ava'
import type { ModelVersion } from '../../../activities/models/stores/versions.ts'
import { createEventPredictions, createRests } from '../../../activities/prediction/events/predict-events.ts'
import { createUnscored } from '../../../activities/prediction/events/unscored.ts'
import { createSteadyModels } from '../../../activities/prediction/steady-models.ts'
import { silentLogger } from '../../../infra/logger.ts'
import { createMetrics } from '../../../infra/metrics.ts'
import { until } from '../../support/until.ts'
import { attribute } from '../events/computed/compute.ts'

const version: ModelVersion = { number: 1, key: 'k', algorithm: 'SVM', start_us: 1, end_us: 2, metrics: {} }
const pred = attribute('PRED', ['a'], { model: 'm' })

function predictions(predictObjects: Parameters<typeof createEventPredictions>[0]['predictor']['predictObjects']) {
  const metrics = createMetrics()
  const predictor = { predictObjects, describe: async () => ({ labels: ['no', 'yes'] }) }
  const deps = {
    versionOf: async () => version,
    predictor,
    metrics,
    unscored: createUnscored(metrics),
    logger: silentLogger(),
  }
  const predict = createEventPredictions({ ...deps, patience_ms: 30 })('s', 's.st')
  const failed = async () => (await metrics.predictionFailures.get()).values.map(({ value }) => value)[0] ?? 0
  return { predict, failed }
}

test('a model that hangs holds an event no longer than its bound, and the next events not at all', async (t) => {
  let calls = 0
  const { predict, failed } = predictions(() => {
    calls++
    return new Promise(() => {})
  })
  const began = performance.now()
  t.deepEqual(await predict(pred, [{ a: 1 }]), [])
  t.true(performance.now() - began < 2_000)
  for (let i = 0; i < 20; i++) t.deepEqual(await predict(pred, [{ a: 1 }]), [])
  t.is(calls, 1)
  t.is(await failed(), 21)
})

test('with prob the probability of a label is stored, and a label that the model has not fails the event alone', async (t) => {
  const { predict, failed } = predictions(async () => [{ label: 'no', probabilities: [0.75, 0.25] }])
  const of = (probabilityOf: string) => ({ ...pred, type: 'DOUBLE' as const, probabilityOf })
  t.deepEqual(await predict(of('yes'), [{ a: 1 }]), [0.25])
  t.deepEqual(await predict(of('no'), [{ a: 1 }]), [0.75])
  t.deepEqual(await predict(of('maybe'), [{ a: 1 }]), [undefined])
  t.is(await failed(), 1)
})

test('a model that fails at once is asked again soon', async (t) => {
  let calls = 0
  const { predict } = predictions(async () => {
    if (calls++ === 0) throw new Error('no luck')
    return [{ label: 7 }]
  })
  t.deepEqual(await predict(pred, [{ a: 1 }]), [])
  t.deepEqual(await until('an answer', async () => (await predict(pred, [{ a: 1 }]))[0]), 7)
  t.is(calls, 2)
})

test('of events together only the ones that cannot be predicted go without', async (t) => {
  const { predict, failed } = predictions(async () => [{ label: 7 }, { line: 2, reason: 'bad' }, { label: 9 }])
  t.deepEqual(await predict(pred, [{ a: 1 }, { a: 'b' }, { a: 3 }]), [7, undefined, 9])
  t.is(await failed(), 1)
})

test('an answer that the attribute cannot hold is a failure, too', async (t) => {
  const { predict, failed } = predictions(async () => [{ label: 'word' }, { label: '7' }, { label: 8 }])
  const number = attribute('PRED', ['a'], { model: 'm', type: 'LONG' })
  t.deepEqual(await predict(number, [{ a: 1 }, { a: 2 }, { a: 3 }]), ['word', '7', 8])
  t.is(await failed(), 1)
})

test('a model rests ten times as long as its failure took', (t) => {
  let now = 1000
  const rests = createRests(() => now)
  t.false(rests.has('m'))
  rests.begin('m', 5)
  now = 1049
  t.true(rests.has('m'))
  t.false(rests.has('other'))
  now = 1050
  t.false(rests.has('m'))
})

test('the version that was current last stays in use while nobody can tell which is', async (t) => {
  let answer: () => Promise<ModelVersion | undefined> = async () => version
  const versionOf = createSteadyModels({ of: () => answer() })
  const key = { schema: 's', model: 'm' }
  t.is(await versionOf(key), version)
  answer = async () => {
    throw new Error('away')
  }
  t.is(await versionOf(key), version)
  await t.throwsAsync(versionOf({ ...key, model: 'other' }), { message: 'away' })
  answer = () => new Promise(() => {})
  t.is(await versionOf(key), version)
  answer = async () => undefined
  t.is(await versionOf(key), undefined)
  answer = async () => {
    throw new Error('away')
  }
  await t.throwsAsync(versionOf(key), { message: 'away' })
})

test('a lag that is not that of the model leaves the attribute out, counted, and the model is not asked', async (t) => {
  let calls = 0
  const metrics = createMetrics()
  const predictor = {
    predictObjects: async () => {
      calls += 1
      return [{ label: 7 }]
    },
    describe: async () => ({ series: { lag: 3, offset: 0, time: '_pk' } }),
  }
  const deps = {
    versionOf: async () => version,
    predictor,
    metrics,
    unscored: createUnscored(metrics),
    logger: silentLogger(),
  }
  const predict = createEventPredictions({ ...deps, patience_ms: 5_000 })('s', 's.st')
  t.deepEqual(await predict({ ...pred, lag: 3 }, [{ lag3: 1, lag2: 2, lag1: 3 }]), [7])
  t.deepEqual(await predict({ ...pred, lag: 2 }, [{ lag2: 2, lag1: 3 }]), [])
  t.is(calls, 1)
  t.is((await metrics.predictionFailures.get()).values[0]?.value, 1)
})

test('events without a prediction are counted by stream, attribute and reason, and told of', async (t) => {
  const metrics = createMetrics()
  const unscored = createUnscored(metrics)
  const answers = [{ label: 7 }, { line: 2, reason: 'bad' }]
  const predictor = { predictObjects: async () => answers, describe: async () => ({}) }
  const deps = { predictor, metrics, unscored, logger: silentLogger() }
  const predict = createEventPredictions({ ...deps, versionOf: async () => version })('s', 's.st')
  t.deepEqual(await predict(pred, [undefined, { a: 1 }, { a: 2 }, undefined]), [undefined, 7, undefined, undefined])
  const absent = createEventPredictions({ ...deps, versionOf: async () => undefined })('s', 's.st')
  t.deepEqual(await absent(pred, [{ a: 1 }]), [])
  const { values } = await metrics.unscoredEvents.get()
  t.deepEqual(
    values.map(({ labels, value }) => [labels.stream, labels.attribute, labels.reason, value]),
    [
      ['s.st', pred.name, 'no inputs', 2],
      ['s.st', pred.name, 'the model failed', 1],
      ['s.st', pred.name, 'no model', 1],
    ],
  )
  const outcomes = (await metrics.eventPredictions.get()).values
  t.deepEqual(Object.fromEntries(outcomes.map(({ labels, value }) => [labels.outcome, value])), {
    ...{ predicted: 1, 'no inputs': 2, 'the model failed': 1, 'no model': 1 },
  })
  const [note = '', ...more] = unscored.notesOf('s.st')
  t.is(more.length, 0)
  t.regex(note, /stored without it: 2 for no inputs, 1 for the model failed, 1 for no model$/)
  t.deepEqual(unscored.notesOf('s.other'), [])
})

test('what was not predicted more than a day ago is told of no more', async (t) => {
  let now = 0
  const unscored = createUnscored(createMetrics(), () => now)
  unscored.add('s.st', 'x', 'no model', 3)
  now = 25 * 3_600_000
  t.deepEqual(unscored.notesOf('s.st'), [])
  unscored.add('s.st', 'x', 'no model', 1)
  t.regex(unscored.notesOf('s.st')[0] ?? '', /: 1 for no model$/)
})
