import test from 'ava'
import {
  assembleEntities,
  fitEntities,
  type TaggedText,
  tagText,
  textParameters,
} from '../../../learn/algorithms/text/index.ts'
import { metadataOf } from '../../../learn/description.ts'
import { withMetadata } from '../../../learn/onnx/metadata.ts'
import { decodeParameters } from '../../../learn/parameters.ts'
import { sumModel } from '../../activities/prediction/models.ts'
import { loopModel } from '../../activities/training/python/models.ts'
import { marked } from '../../learn/algorithms/text/corpora.ts'
import { openModelShelf } from '../../support/model-shelf.ts'
import { startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const service = await startService({ PY_MODEL_S: '1', PY_UNCAGED: '1' })
const { client, url } = service
const shelf = await openModelShelf({ DATA_DIR: service.folder })
test.after.always(async () => {
  await service.close()
  await shelf.close()
})

const attributes = ['a', 'b'].map((name, position) => ({ name, position, kind: 'number' as const }))
const byScript = (file: Uint8Array, version: string) =>
  withMetadata(
    file,
    metadataOf({
      weir: 1,
      algorithm: 'PY',
      task: 'numbers',
      attributes,
      separator: ',',
      outside: [],
      batch: 1024,
      version,
    }),
  )

const predict = (model: string, data: string, format = 'CSV') =>
  client.post('/ml/pred/2', { 'schema-name': 'shop', model_name: model, input_format: format, data })

/** The longest that the service let somebody wait who only asks whether it lives. */
async function longestWait(work: Promise<unknown>): Promise<number> {
  let isOver = false
  const ended = work.finally(() => {
    isOver = true
  })
  let longest = 0
  while (!isOver) {
    const start = performance.now()
    await (await fetch(`${url}/health/live`)).arrayBuffer()
    longest = Math.max(longest, performance.now() - start)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  await ended
  return longest
}

test.serial(
  'a model of a script that loops as its data say ends in its own process, and nobody waits for it',
  async (t) => {
    await shelf.publish('shop', 'loop', byScript(loopModel(), '1'))
    await shelf.publish('shop', 'sum', sumModel())
    t.is((await client.ok(predict('loop', '3,1'))).predict_labels, 4)
    const outcomes = Promise.all([predict('loop', '1e12,1'), predict('sum', '75,Rome,1.5')])
    const wait = await longestWait(outcomes)
    const [looping, other] = await outcomes
    t.log(`health stood ${wait.toFixed(0)} ms`)
    t.is(looping.status, 400)
    t.regex(looping.text, /the model's process is gone: it took longer than 1 s/)
    t.is(other.status, 200)
    t.like(await client.ok(predict('loop', '3,1')), { predict_labels: 4 }, 'it is started again')
  },
)

test.serial(
  'events go on without the predictions of a model that loops, and it is left alone after a while',
  async (t) => {
    const attr = ['a', 'b'].map((name) => ({ name, type: 'DOUBLE' }))
    const label = {
      name: 'label',
      type: 'DOUBLE',
      opnm: 'PRED',
      algo: 'PY',
      attr_type: 'HYB',
      model: 'loop',
      iatr: ['a', 'b'],
    }
    await client.register({ schema: 'shop', streams: [{ name: 'people', type: 1, swsz: 0, attr, catr: [label] }] })
    await client.event('shop.people', { a: 2, b: 3 })
    await client.event('shop.people', { a: 1e12, b: 3 })
    const rows = await until('both events', async () => {
      const answer = await client.ok(client.post('/db/shop/query', { sql: 'select * from shop.people' }))
      return answer.rows.length === 2 ? answer.rows : undefined
    })
    t.is(rows.filter(({ v }: { v: string }) => v.includes('"label"')).length, 1)
    let answer = await predict('loop', '1e12,1')
    for (let turn = 0; turn < 3 && !/left alone/.test(answer.text); turn += 1) answer = await predict('loop', '1e12,1')
    t.is(answer.status, 400)
    t.regex(answer.text, /has ended its process 3 times, and is left alone for \d+ s more/)
  },
)

const parameters = decodeParameters(textParameters, {})
const known = {
  algorithm: 'IE',
  attributes: [{ name: 'text', position: 0, kind: 'word' as const }],
  separator: ',',
  parameters,
}

const sentences = marked(4000, 3).map(({ text }) => text)
const textOf = (bytes: number): string => {
  let text = ''
  for (let i = 0; text.length < bytes; i += 1) text += `${sentences[i % sentences.length]} `
  return text.slice(0, bytes)
}

test.serial('the entities of a long text are those of its sentences, and nobody waits for them', async (t) => {
  const train = marked(120, 1).flatMap(({ text, entities }): TaggedText[] => {
    const tagged = tagText(text, entities)
    return 'reason' in tagged ? [] : [tagged]
  })
  await shelf.publish(
    'shop',
    'names',
    assembleEntities(fitEntities(train, parameters, { beat: () => {}, log: () => {} }), known),
  )
  const short = await client.ok(predict('names', JSON.stringify({ text: textOf(1000) }), 'JSON'))
  t.true(short.predict_labels.length > 5)

  const before = process.memoryUsage.rss()
  let most = before
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss())
  }, 20)
  const long = client.ok(predict('names', JSON.stringify({ text: textOf(400_000) }), 'JSON'))
  const start = performance.now()
  const wait = await longestWait(long)
  const took = performance.now() - start
  clearInterval(timer)
  const { predict_labels: labels } = await long
  t.log(`health stood ${wait.toFixed(0)} ms, memory grew by ${((most - before) / 2 ** 20).toFixed(0)} MB`)
  t.true(labels.length > 2000)
  const same = (a: { offset: number; tag: string; text: string }) => [a.offset, a.tag, a.text]
  const whole = short.predict_labels.filter(({ offset }: { offset: number }) => offset < 900)
  t.deepEqual(labels.slice(0, whole.length).map(same), whole.map(same))
  t.true(most - before < 400 * 2 ** 20)
  t.true(wait < took / 3, 'health stood as long as the text took')
})

test.serial(
  'a text that is too long is refused by name, and forty long ones at once leave the service well',
  async (t) => {
    t.timeout(1_500_000) // megabytes are read on one thread, and nothing is said until all of them are
    const tooLong = await predict('names', JSON.stringify({ text: textOf(1_100_000) }), 'JSON')
    t.is(tooLong.status, 400)
    t.regex(tooLong.text, /the text has \d+ KB; at most 1024 are taken \(MAX_TEXT_KB\)/)
    const data = JSON.stringify({ text: textOf(1_000_000) })
    const before = process.memoryUsage.rss()
    let most = before
    const timer = setInterval(() => {
      most = Math.max(most, process.memoryUsage.rss())
    }, 20)
    const all = Promise.all(Array.from({ length: 40 }, () => predict('names', data, 'JSON')))
    const answers = await all
    clearInterval(timer)
    const statuses = new Set(answers.map(({ status }) => status))
    t.log(`memory grew by ${((most - before) / 2 ** 20).toFixed(0)} MB; ${[...statuses]}`)
    t.deepEqual([...statuses].sort(), [200, 503])
    t.true(most - before < 600 * 2 ** 20)
  },
)
