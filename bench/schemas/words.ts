import { readFileSync } from 'node:fs'
import { toWire, toWords } from '../../sql/schema/words/translate.ts'
import { median } from '../quantile.ts'
import { type Figure, milliseconds } from '../report.ts'

const manyStreams = 52
const target_ms = 10
const rounds = 100

/** The streams of the shop, so often that a schema has as many as it should be translated with. */
function manyTimesTheShop() {
  const { streams } = JSON.parse(readFileSync(new URL('../../examples/shop/schema.json', import.meta.url), 'utf8'))
  const names = streams.map(({ name }: { name: string }) => name).join('|')
  const copies = Array.from({ length: manyStreams / streams.length }, (_, index) =>
    JSON.parse(JSON.stringify(streams).replaceAll(new RegExp(`"(${names})"`, 'g'), `"$1_${index}"`)),
  )
  return { schema: 'shops', streams: copies.flat() }
}

function timeOf(work: () => unknown): number {
  const times_ms = Array.from({ length: rounds }, () => {
    const started = performance.now()
    work()
    return performance.now() - started
  })
  return median(times_ms)
}

/** The translation of a schema between its two forms. */
export function translation(): Figure {
  const wire = manyTimesTheShop()
  const words = toWords(wire)
  const [there_ms, back_ms] = [timeOf(() => toWords(wire)), timeOf(() => toWire(words))]
  return {
    part: 'schemas',
    what: `a schema of ${manyStreams} streams: the wire form to words / words to the wire form`,
    weir: `${milliseconds(there_ms)} / ${milliseconds(back_ms)}`,
    beside: '',
    target: `under ${target_ms} ms each`,
    isMet: Math.max(there_ms, back_ms) < target_ms,
  }
}
