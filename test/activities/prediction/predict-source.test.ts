import { readdirSync, readFileSync } from 'node:fs'
import test from 'ava'
import { joinOddities, noteOf } from '../../../activities/prediction/oddities.ts'
import { openBlockPool, usualLimits } from '../../../activities/prediction/open-block-pool.ts'
import {
  type PredictedBlock,
  predictSource,
  type SourceRequest,
} from '../../../activities/prediction/predict-source.ts'
import { agreementOf, joinAgreement, noAgreement } from '../../../learn/agreement.ts'
import { metadataOf } from '../../../learn/description.ts'
import type { FormatName } from '../../../learn/formats/index.ts'
import { withMetadata } from '../../../learn/onnx/metadata.ts'
import { until } from '../../support/until.ts'
import { loopModel } from '../training/python/models.ts'
import { described, signModel, sumModel, textModel, wordsModel } from './models.ts'

const pool = openBlockPool(2)
test.after.always(() => pool.close())

async function* chunked(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function predicted(
  text: string,
  format: FormatName,
  more: Partial<SourceRequest> & { readonly chunk?: number } = {},
) {
  const { chunk = 1000, ...rest } = more
  const source = chunked(text, chunk)
  const request = { source, format, considerTarget: false, model: 'sum', file: sumModel(), size: 200, ...rest }
  const blocks: PredictedBlock[] = []
  for await (const block of predictSource(request, pool)) blocks.push(block)
  return { blocks, text: blocks.map((block) => block.text).join(''), faults: blocks.flatMap(({ faults }) => faults) }
}

const ages = Array.from({ length: 300 }, (_, i) => i)
const expected = ages.map((age) => `${(age - 0) * (2 / 100) - 1 + 0}\n`).join('')
const texts: Readonly<Record<string, readonly [FormatName, string]>> = {
  'lines of CSV': ['CSV', ages.map((age) => `${age},Paris,1.5\n`).join('')],
  'CSV with a header in an order of its own': [
    'CSV',
    `height,city,id,age\n${ages.map((age) => `1.5,Paris,x,${age}\n`).join('')}`,
  ],
  'CSV with line feeds in quotes': ['CSV', ages.map((age) => `${age},"Paris\n,""x"" ${age}\n\n",1.5\n`).join('')],
  'CSV without a last line feed': ['CSV', ages.map((age) => `${age},Paris,1.5`).join('\n')],
  'JSON lines': ['JSON', ages.map((age) => `{"age":${age},"height":1.5,"city":"Paris"}\n`).join('')],
  'a JSON array': ['JSON', `\n[${ages.map((age) => `{"age":${age},\n"height":1.5,"city":"]"}`).join(',')}\n]`],
  'SVM lines': ['SVM', ages.map((age) => `0:${age} 3:1.5\n`).join('')],
  'KV lines': ['KV', ages.map((age) => `age:${age} height:1.5 city:Paris\n`).join('')],
}

test('a row whose prediction goes beyond all numbers fails, and says so', async (t) => {
  const { blocks, text, faults } = await predicted('50,Paris,1.5\n50,Paris,1.7e308\n50,Paris,1.5\n', 'CSV')
  t.is(text, '0\n\n0\n')
  t.deepEqual(faults, ['line 2: the prediction goes beyond all numbers'])
  t.is(
    blocks.reduce((sum, { failed }) => sum + failed, 0),
    1,
  )
})

for (const [name, [format, text]] of Object.entries(texts)) {
  test(`a file is predicted in order, block by block: ${name}`, async (t) => {
    const whole = await predicted(text, format)
    t.is(whole.text, expected)
    t.true(whole.blocks.length > 5)
    t.deepEqual(
      whole.blocks.map(({ index }) => index),
      whole.blocks.map((_, i) => i),
    )
    t.is(
      whole.blocks.reduce((sum, { rows }) => sum + rows, 0),
      ages.length,
    )
    t.is(whole.blocks.at(-1)?.bytesRead, new TextEncoder().encode(text).length)
    t.deepEqual(whole.faults, [])
  })

  test(`work on a file is taken up again where it ended, however its bytes come: ${name}`, async (t) => {
    const whole = await predicted(text, format)
    const rest = await predicted(text, format, { skip: 3, chunk: 77 })
    t.deepEqual(
      rest.blocks.map(({ index, text }) => [index, text]),
      whole.blocks.slice(3).map(({ index, text }) => [index, text]),
    )
  })
}

test('a first row of words that training did not see, before rows of words that it did, is a header', async (t) => {
  const labels = '2\n2\n1\n'.repeat(4)
  const ask = (text: string, more: Partial<SourceRequest> = {}) =>
    predicted(text, 'CSV', { model: 'words', file: wordsModel(), ...more })
  const rows = 'Rome,f\nOslo,m\nBergen,m\n'.repeat(4)
  await t.throwsAsync(ask(`Ort,Geschlecht\n${rows}`), {
    message:
      'the first row is a header that names other columns: it has Ort, Geschlecht; the attributes are city, sex; header 0 takes it for a row',
  })
  t.is((await ask(`Ort,Geschlecht\n${rows}`, { header: 'absent' })).text, `0\n${labels}`)
  t.is((await ask(`Bergen,m\n${rows}`)).text, `1\n${labels}`, 'one of its words is known')
  t.is((await ask(`Bergen,\n${rows}`)).text, `0\n${labels}`, 'a header has no missing name')
  t.is((await ask(`Bergen,d\nBern,d\nBonn,d\n${rows}`)).text, `0\n0\n0\n${labels}`, 'others are unseen, too')
  t.is((await ask(`city,sex\n${rows}`)).text, labels)
})

test('above a few rows a first row of unseen words is a row like others, and it is told that it may be a header', async (t) => {
  for (const rows of ['', 'Rome,f\nOslo,m\n']) {
    const { text, blocks } = await predicted(`Ort,Geschlecht\n${rows}`, 'CSV', { model: 'words', file: wordsModel() })
    t.is(text, rows === '' ? '0\n' : '0\n2\n2\n')
    t.deepEqual(blocks[0]?.doubts, [
      'the first row (Ort, Geschlecht) is taken for data, and may be a header: training saw none of its words; leave it out of the file if it is one; header 0 says that it is a row',
    ])
  }
})

test('words that training did not see are counted by attribute, and so are truth values for numbers', async (t) => {
  const rows = ['1,Rome,1.5', '2,Paris,TRUE', '3,Bern,1.5', '4,paris,1.5', ' ,,1.5', '5,Paris,false', '6,Bonn,1.5']
  const { blocks } = await predicted(`age,city,height\n${rows.join('\n')}`, 'CSV', { size: 20 })
  t.true(blocks.length > 1)
  t.deepEqual(
    blocks
      .map(({ oddities }) => oddities)
      .reduce(joinOddities, [])
      .map(noteOf),
    [
      "attribute 'city': 5 rows have a word that training did not see, such as 'Paris', 'Bern', 'paris'",
      "attribute 'height': 2 rows have true or false in place of a number, such as 'TRUE', 'false', taken as 1 and 0",
    ],
  )
})

test('texts to predict have a header where the first line names the attribute, or a request says so', async (t) => {
  const texts = 'how very good it is\nwell, no good at all\n'
  const ask = (text: string, more: Partial<SourceRequest> = {}) =>
    predicted(text, 'TEXT', { model: 'texts', file: textModel(), ...more })
  const labels = (await ask(texts)).text
  t.is((await ask(`\nThe Review\n${texts}`)).text, `\n${labels}`)
  t.is((await ask(`kind\tthe_review\r\n${texts}`)).text, labels)
  t.is((await ask(`Anything\n${texts}`, { header: 'present', size: 10 })).text, labels)
  t.is((await ask(`the review\n${texts}`, { header: 'absent' })).text.split('\n').length, 4)
  const { blocks } = await ask(`Customer note\n${texts}`)
  t.is(blocks[0]?.rows, 3)
  t.regex(
    blocks[0]?.doubts.join() ?? '',
    /^the first row \(Customer note\) is taken for data, and may be a header: the texts/,
  )
  t.deepEqual((await ask(`Good\nBad\nSo\n`)).blocks[0]?.doubts, [])
})

const byScript = (file: Uint8Array): Uint8Array =>
  withMetadata(
    file,
    metadataOf({
      ...described,
      algorithm: 'PY',
      task: 'numbers',
      attributes: ['a', 'b'].map((name, position) => ({ name, position, kind: 'number' as const })),
      batch: 1024,
    }),
  )

test("a user's model that ends its process over a row leaves that block's rows empty, and after three of them the file", async (t) => {
  const alone = openBlockPool(1, { ...usualLimits, apart: { ...usualLimits.apart, time_ms: 1_000 } })
  t.teardown(() => alone.close())
  const ask = async (model: string, text: string) => {
    const request = { source: chunked(text, 1000), format: 'CSV' as const, considerTarget: false, size: 10 }
    const blocks: PredictedBlock[] = []
    for await (const block of predictSource({ ...request, model, file: byScript(loopModel()) }, alone))
      blocks.push(block)
    return blocks
  }
  const blocks = await ask('once', '1,2\n3,4\n5,6\n1e12,1\n7,8\n0,1\n1,1\n')
  t.is(blocks.map(({ text }) => text).join(''), '3\n7\n11\n\n\n1\n2\n')
  t.regex(blocks[1]?.faults[0] ?? '', /the model's process is gone: it took longer than 1 s/)
  await t.throwsAsync(ask('often', '1e12,2\n'.repeat(20)), {
    message: /has ended its process 3 times, and is left alone/,
  })
})

/** Child processes of this one, those included that ended and were not heard of. */
const children = (): string[] =>
  readdirSync('/proc').filter((pid) => {
    try {
      const [, parent] = /\) . (\d+) /.exec(readFileSync(`/proc/${pid}/stat`, 'latin1')) ?? []
      return Number(parent) === process.pid
    } catch {
      return false
    }
  })

test("a thread that goes idle leaves nothing of its users' models, no zombie either", async (t) => {
  const alone = openBlockPool(1)
  t.teardown(() => alone.close())
  const before = new Set(children())
  const request = { source: chunked('1,2\n', 1000), format: 'CSV' as const, considerTarget: false }
  for await (const block of predictSource({ ...request, model: 'idle', file: byScript(loopModel()) }, alone))
    t.is(block.text, '3\n')
  const own = children().filter((pid) => !before.has(pid))
  t.true(own.length > 0)
  await until('they are gone', async () => !children().some((pid) => own.includes(pid)), 20_000)
})

test('a row that cannot be predicted is an empty line, told with its line in the file', async (t) => {
  const lines = ages.map((age) => (age % 100 === 50 ? 'x,Paris,1.5' : `${age},Paris,1.5`))
  const { text, faults, blocks } = await predicted(`age,city,height\n${lines.join('\n')}`, 'CSV')
  t.deepEqual(
    text.split('\n').flatMap((line, i) => (line === '' ? [i] : [])),
    [50, 150, 250, 300],
  )
  t.deepEqual(
    faults,
    [52, 152, 252].map((line) => `line ${line}, column 1, attribute 'age': 'x' is no number`),
  )
  t.is(
    blocks.reduce((sum, { failed }) => sum + failed, 0),
    3,
  )
})

test('targets in a file are compared over all of its blocks', async (t) => {
  const text = ages.map((age) => `${age},Paris,${age < 75 ? 'young' : 'old'},1.5\n`).join('')
  const { blocks } = await predicted(text, 'CSV', { considerTarget: true, model: 'sign', file: signModel() })
  const { user_pred_accuracy } = agreementOf(
    blocks.map(({ agreement }) => agreement).reduce(joinAgreement, noAgreement),
  )
  t.is(user_pred_accuracy, (100 * (300 - 24)) / 300)
})

test('a new version of a model is another key, and its file counts', async (t) => {
  const text = '75,Rome,1.5\n'
  t.is((await predicted(text, 'CSV', { model: 'v1' })).text, '1.5\n')
  t.is((await predicted(text, 'CSV', { model: 'v2', file: signModel() })).text, 'old\n')
})

test('a file without rows has no predictions', async (t) => {
  t.deepEqual((await predicted('', 'CSV')).blocks, [])
  t.deepEqual((await predicted(' \n[]\n', 'JSON')).blocks, [])
})
