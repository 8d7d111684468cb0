/** The editor of schemas: places in its text, faults, completion, and the lines that have changed. */
import { readFileSync } from 'node:fs'
import test from 'ava'
import { pathText, placeOf, placesIn, spotAt } from '../../../../console/pages/streams/json-places.ts'
import { changedParts, lineDiff } from '../../../../console/pages/streams/line-diff.ts'
import { offersAt } from '../../../../console/pages/streams/schema-completion.ts'
import { problemsIn, syntaxProblem } from '../../../../console/pages/streams/schema-problems.ts'

const document = JSON.parse(readFileSync(new URL('../../../../docs/openapi.json', import.meta.url), 'utf8'))
const shapes = document.components.schemas

/** The cursor is at `|`. */
const offered = (marked: string): readonly string[] => {
  const at = marked.indexOf('|')
  const found = offersAt(marked.replace('|', ''), at, shapes, shapes.RegisterSchemaBody1 ?? shapes.RegisterSchemaBody)
  return found.options.map(({ label }) => label)
}

for (const [marked, kind, path, word] of [
  ['|', 'value', '', ''],
  ['{|', 'name', '', ''],
  ['{"sch|', 'name', '', 'sch'],
  ['{"a": [1, {"b": 2}, "x|', 'value', 'a[2]', 'x'],
  ['{"a": {"b": |', 'value', 'a.b', ''],
  ['{"a": {"b": "done", |', 'name', 'a', ''],
  ['{"a \\" b": "}", "c": tr|', 'value', 'c', 'tr'],
  ['[{"x": 1}, {"y"|', 'name', '[1]', ''],
] as const) {
  test(`a cursor at ${marked}`, (t) => {
    const spot = spotAt(marked.replace('|', ''), marked.indexOf('|'))
    t.like({ ...spot, path: pathText(spot.path) }, { kind, path, word })
  })
}

test('members that the place may have are offered, without those that are there', (t) => {
  t.deepEqual(offered('{"schema": "x", "str|'), ['streams', 'notifs'])
  const ofStream = offered('{"streams": [{"name": "a", |')
  t.true(ofStream.includes('swsz') && ofStream.includes('fltr'))
  t.false(ofStream.includes('name'))
  t.true(offered('{"streams": [{"fltr": [{"fqry": {"name": {"query": [{|').includes('cmp_op'))
})

test('members that change nothing are offered last', (t) => {
  const ofAttribute = offered('{"streams": [{"attr": [{|')
  const place = (name: string): number => ofAttribute.indexOf(name)
  t.true(place('kysz') > 0)
  for (const name of ['name', 'type', 'required', 'min', 'max']) t.true(place(name) >= 0 && place(name) < place('kysz'))
})

test('values that the place may have are offered by their names', (t) => {
  const kept = offered('{"streams": [{"attr": [{"stat": "|')
  for (const name of ['NONE', 'COUNT', 'UCOUNT', 'RSTAT']) t.true(kept.includes(name), name)
  t.true(offered('{"streams": [{"attr": [{"type": |').includes('DOUBLE'))
})

test('names of other streams and of own attributes are offered where they are meant', (t) => {
  const text = '{"streams": [{"name": "a", "attr": [{"name": "x"}], "gpby": [{"gpat": ["|"]}]}, {"name": "b"}]}'
  t.deepEqual(offered(text), ['x'])
  t.deepEqual(offered(text.replace('"gpby": [{"gpat": ["|"]}]', '"enty": [{"rstm": "|"}]')), ['a', 'b'])
})

const text = `{
  "schema": "shop",
  "streams": [
    { "name": "a", "type": 1,
      "attr": [{ "name": "x", "type": 99 }] }
  ]
}`

test('each value has its place by its path, with its name; a path that is not there has that of the nearest above', (t) => {
  const places = placesIn(text)
  const at = (path: string) => {
    const place = placeOf(places, path)
    return place && text.slice(place.from, place.to)
  }
  t.is(at('streams[0].attr[0].type'), '"type": 99')
  t.is(at('streams[0].attr[0].stat'), '{ "name": "x", "type": 99 }')
  t.is(at('schema'), '"schema": "shop"')
  t.is(at('nowhere'), text)
})

test('a sentence of the service is a problem of the line that it names', (t) => {
  const sentences = [
    'streams[0].attr[0].type: unknown type 99; known are 3 OBJECT',
    'streams[0] has no swsz: stream a keeps events for 86400 s',
    'the schema is no JSON: Unexpected token at position 4 (line 2, column 3)',
    'schema shop is registered already',
  ]
  t.deepEqual(
    problemsIn(text, sentences).map(({ line }) => line),
    [5, 4, 2, 2],
  )
})

test('a text that is no JSON says where', (t) => {
  t.is(syntaxProblem(text), undefined)
  t.is(syntaxProblem(text.replace('"type": 1,', '"type": 1'))?.line, 5)
  t.is(syntaxProblem('')?.line, 1)
})

test('the lines of two texts that differ', (t) => {
  const lines = (of: ReturnType<typeof lineDiff>) => of.map(({ kind, text: line }) => `${kind} ${line}`)
  t.deepEqual(lines(lineDiff('a\nb\nc', 'a\nx\nc\nd')), ['same a', 'lost b', 'added x', 'same c', 'added d'])
  t.deepEqual(lines(lineDiff('', 'a')), ['lost ', 'added a'])
  const many = Array.from({ length: 50 }, (_, n) => `${n}`).join('\n')
  t.deepEqual(
    changedParts(lineDiff(many, many.replace('\n25\n', '\nx\n')), 1).map((line) => line?.text),
    [undefined, '24', '25', 'x', '26', undefined],
  )
})

test('a diff turns the one text into the other, whatever they are', (t) => {
  let seed = 7
  const next = (most: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648
    return seed % most
  }
  const some = () => Array.from({ length: next(30) }, () => 'abc'[next(3)]).join('\n')
  for (let turn = 0; turn < 200; turn++) {
    const [before, after] = [some(), some()]
    const diff = lineDiff(before, after)
    const of = (left: string) =>
      diff
        .filter(({ kind }) => kind !== left)
        .map((line) => line.text)
        .join('\n')
    t.deepEqual([of('added'), of('lost')], [before, after])
  }
})
