/** InfluxData's corpus: each text with the points that it has, or that it is refused. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { parse } from 'lossless-json'
import { LineReader, lineTextOf, type Point } from '../../../activities/capture/line-protocol.ts'
import { ensureLineProtocolCorpus } from '../../../scripts/parts/line-protocol.js'

/** A text, or its bytes in base64. */
type Text = string | { readonly binary: string } | undefined
type Value = {
  readonly int?: bigint
  readonly uint?: bigint
  readonly float?: number | bigint
  readonly bool?: boolean
  readonly string?: Text
}
type CorpusPoint = {
  readonly name: Text
  readonly time: bigint
  readonly tags?: readonly { readonly key: Text; readonly value: Text }[]
  readonly fields?: readonly { readonly key: Text; readonly value: Value }[]
}
type Case = {
  readonly input: { readonly text: Text; readonly defaultTime?: bigint; readonly precision: string }
  readonly output: { readonly error?: string; readonly result?: readonly CorpusPoint[] }
}

const units: Readonly<Record<string, bigint>> = { '1ns': 1n, '1µs': 1_000n, '1ms': 1_000_000n, '1s': 1_000_000_000n }

const bytesOf = (text: Text): Buffer =>
  typeof text === 'object' ? Buffer.from(text.binary, 'base64') : Buffer.from(text ?? '')
const stringOf = (text: Text): string => bytesOf(text).toString('utf8')

const valueOf = ({ int, uint, float, bool, string }: Value): unknown =>
  bool ?? (string === undefined ? Number(int ?? uint ?? float) : stringOf(string))

const wanted = ({ name, tags = [], fields = [], time }: CorpusPoint) => ({
  measurement: stringOf(name),
  tags: tags.map(({ key, value }) => [stringOf(key), stringOf(value)]),
  fields: fields.map(({ key, value }) => [stringOf(key), valueOf(value)]),
  time,
})

const folder = await ensureLineProtocolCorpus()
const having = folder === undefined ? test.skip : test

having('each of its 6,615 texts has the points that InfluxData’s decoder reads in it, or is refused as there', (t) => {
  const readNumber = (text: string): number | bigint => (/^-?\d+$/.test(text) ? BigInt(text) : Number(text))
  const corpus = parse(readFileSync(join(folder ?? '', 'corpus.json'), 'utf8'), undefined, readNumber) as {
    readonly decode: Readonly<Record<string, Case>>
  }
  const cases = Object.entries(corpus.decode)
  t.is(cases.length, 6615)
  let good = 0
  for (const [key, { input, output }] of cases) {
    const unit = units[input.precision] ?? 1n
    const reader = new LineReader(lineTextOf(bytesOf(input.text)))
    const points: Point[] = []
    let isRefused = false
    for (let each = reader.next(); each && !isRefused; each = reader.next())
      if ('point' in each) points.push(each.point)
      else isRefused = true
    // The decoder has nanoseconds of 64 bits; a time beyond them is a refusal of the stream's here.
    const isBeyond = points.some(({ time }) => time !== undefined && BigInt.asIntN(64, time * unit) !== time * unit)
    if (output.error !== undefined) {
      t.true(isRefused || isBeyond, `${key} ${JSON.stringify(input.text)}: ${output.error}`)
      continue
    }
    good++
    t.false(isRefused, `${key} ${JSON.stringify(input.text)}`)
    const usual = ((input.defaultTime ?? 0n) / unit) * unit
    const read = points.map(({ time, tags, fields, ...point }) => ({
      ...point,
      tags: tags.toSorted(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
      fields: fields.map(([name, value]) => [
        name,
        typeof value === 'bigint' ? Number(value) : value === 0 ? 0 : value,
      ]),
      time: time === undefined ? usual : time * unit,
    }))
    t.deepEqual(read as unknown, (output.result ?? []).map(wanted), key)
  }
  t.is(good, 395)
})
