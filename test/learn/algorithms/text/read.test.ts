import test from 'ava'
import { kindOfRows, readLabelledTexts, readTaggedTexts } from '../../../../learn/algorithms/text/index.ts'
import type { FormatName } from '../../../../learn/formats/index.ts'
import { createLayout } from '../../../../learn/layout.ts'

/** The bytes of a file, three at a time, so that characters and rows are cut anywhere. */
async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text)
  for (let at = 0; at < bytes.length; at += 3) yield bytes.subarray(at, at + 3)
}

const layout = createLayout({
  attributes: [
    { name: 'label', position: 0, type: 'STRING' },
    { name: 'text', position: 1, type: 'STRING' },
  ],
  attributeKind: 'word',
  targetIndex: 0,
})

const files: readonly (readonly [FormatName, string])[] = [
  [
    'JSON',
    '{"labels": ["a", "b"]}\n{"label": "a", "text": "Größe, 1"}\n\n{"text": "two", "label": "b"}\n{"label": "a", "text": "3"}\n',
  ],
  ['JSON', '[{"label": "a", "text": "Größe, 1"}, {"text": "two", "label": "b"},\n{"label": "a", "text": "3"}]'],
  ['CSV', 'label,text\na,"Größe, 1"\nb,two\na,3'],
  ['CSV', 'a,"Größe, 1"\nb,two\n,lost\na,3\n'],
  ['TEXT', 'a\tGröße, 1\nb\ttwo\na\t3\n'],
]

for (const [format, file] of files) {
  test(`labelled texts come out of ${format} ${JSON.stringify(file.slice(0, 12))}`, async (t) => {
    const lines: string[] = []
    const { texts, target } = await readLabelledTexts(bytesOf(file), { format, layout }, (line) => lines.push(line))
    t.deepEqual(texts, ['Größe, 1', 'two', '3'])
    t.deepEqual(target, { kind: 'classes', labels: ['a', 'b'], classes: Int32Array.of(0, 1, 0) })
    t.deepEqual(lines, [
      ...(file.startsWith('label,text') ? ['the first row is a header: columns are matched by name'] : []),
      ...(file.includes('lost') ? ['rows without a label or a text, left out: 1'] : []),
    ])
  })
}

const broken: readonly (readonly [FormatName, string, RegExp])[] = [
  ['TEXT', 'a\tone\nno tab', /^line 2: no tab/],
  ['JSON', '{"label": "a", "text": "x"}\n{"label": ', /^line 2, column 11: /],
  ['CSV', 'a,one\nb,two,three\n', /^line 2: the row has 3 cells/],
  ['JSON', '', /^no row holds a label and a text$/],
]

for (const [format, file, reason] of broken) {
  test(`broken labelled texts in ${format} are refused: ${reason.source}`, async (t) => {
    await t.throwsAsync(
      readLabelledTexts(bytesOf(file), { format, layout }, () => {}),
      { message: reason },
    )
  })
}

const whole = createLayout({
  attributes: [
    { name: 'label', position: 0, type: 'LONG' },
    { name: 'text', position: 1, type: 'STRING' },
  ],
  attributeKind: 'word',
  targetIndex: 0,
})

test('labels of a LONG are numbers, however they are written, and a word is none', async (t) => {
  const read = (text: string) => readLabelledTexts(bytesOf(text), { format: 'CSV', layout: whole }, () => {})
  t.deepEqual((await read('1,a\n-2,b\n01,c\n')).target, {
    kind: 'classes',
    labels: [1, -2],
    classes: Int32Array.of(0, 1, 0),
  })
  await t.throwsAsync(read('1,a\nbad,b\n'), { message: "line 2, column 1, attribute 'label': 'bad' is no number" })
  await t.throwsAsync(read('1,a\n1.5,b\n'), { message: /^line 2.*'1.5' is no whole number/ })
})

test('text classes have one text beside the label', async (t) => {
  const wide = createLayout({
    attributes: [
      { name: 'a', position: 0 },
      { name: 'b', position: 1 },
    ],
    attributeKind: 'word',
  })
  await t.throwsAsync(
    readLabelledTexts(bytesOf(''), { format: 'CSV', layout: wide }, () => {}),
    { message: /attr_list has 2 beside the label/ },
  )
})

test('tagged texts are read by line, after a head, and what was widened stands in the log', async (t) => {
  const lines: string[] = []
  const file = `{"labels": ["city"]}
{"text": "🌧 in Łódź", "entities": [{"start": 6, "end": 10, "label": "city"}]}

{"text": "none", "entities": []}
{"text": "  ", "entities": []}
{"text": "Newtown", "entities": [{"start": 3, "end": 7, "label": "city"}]}`
  const texts = await readTaggedTexts(bytesOf(file), (line) => lines.push(line))
  t.deepEqual(
    texts.map(({ text, spans }) => [text, spans]),
    [
      ['🌧 in Łódź', [{ first: 2, last: 2, label: 'city' }]],
      ['none', []],
      ['Newtown', [{ first: 0, last: 0, label: 'city' }]],
    ],
  )
  t.deepEqual(lines, ['line 6: an entity cuts a word and was widened to it'])
})

const brokenEntities: readonly (readonly [string, RegExp])[] = [
  ['{"text": "a", "entities": []}\n{"text": "a"}', /^line 2: entities: /],
  ['{"text": 1, "entities": []}', /^line 1: text: .*expected string/],
  ['{"text": "ab", "entities": [{"start": 0, "end": 1.5, "label": "x"}]}', /^line 1: entities\[0\]\.end: /],
  ['{"text": "ab", "entities": [{"start": 0, "end": 1, "label": ""}]}', /^line 1: entities\[0\]\.label: /],
  ['\n{"text": "ab", "entities": [{"start": 0, "end": 3, "label": "x"}]}', /^line 2: entity 0 to 3 'x' is not inside/],
  ['{"text": "ab"', /^line 1, column 14: /],
  ['{"text": "  ", "entities": []}', /^no row holds a text/],
]

for (const [file, reason] of brokenEntities) {
  test(`broken tagged texts are refused: ${reason.source}`, async (t) => {
    await t.throwsAsync(
      readTaggedTexts(bytesOf(file), () => {}),
      { message: reason },
    )
  })
}

const kinds: readonly (readonly [string, 'classes' | 'entities'])[] = [
  ['{"labels": ["x"]}\n{"text": "a", "entities": []}\n', 'entities'],
  ['[{"text": "a", "entities": []}]', 'entities'],
  ['{"text": "a", "entities": []}', 'entities'],
  ['{"text": "a", "label": "x"}\n{"text": "a", "entities": []}\n', 'classes'],
  ['no json\n{"text": "a", "entities": []}\n', 'classes'],
  ['', 'classes'],
]

for (const [file, kind] of kinds) {
  test(`the first row of ${JSON.stringify(file.slice(0, 30))} means ${kind}, and nothing of the file is lost`, async (t) => {
    const found = await kindOfRows(bytesOf(file))
    t.is(found.kind, kind)
    const chunks: Uint8Array[] = []
    for await (const chunk of found.source) chunks.push(chunk)
    t.is(Buffer.concat(chunks).toString(), file)
  })
}

test('bad rows of texts are left out where a request says so, and told', async (t) => {
  const rules = { badRows: 'skip', maxBadShare: 0.5 } as const
  const lines: string[] = []
  const log = (line: string) => lines.push(line)
  const csv = 'a,one\nb,two,three\nb,four\n'
  const { texts } = await readLabelledTexts(bytesOf(csv), { format: 'CSV', layout, ...rules }, log)
  t.deepEqual(texts, ['one', 'four'])
  const json = '{"text": "x", "entities": []}\n{"text": 1}\n'
  t.is((await readTaggedTexts(bytesOf(json), log, undefined, rules)).length, 1)
  t.regex(
    lines.join('\n'),
    /^bad rows left out, 1 of 3 rows: line 2: .*3 cells.*\nbad rows left out, 1 of 2 rows: line 2/,
  )
  await t.throwsAsync(readTaggedTexts(bytesOf(json), log, undefined, { ...rules, maxBadShare: 0.1 }), {
    message: /1 of 2 rows are bad/,
  })
})
