/** The pictures of docs/models.md: drawn by the parts of the console from the metrics of the page's first example. */
import { readFileSync } from 'node:fs'
import test from 'ava'
import { picturesOf } from '../../scripts/console/pictures.js'
import { matchesGolden } from '../support/golden.ts'

const folder = new URL('../../docs/models/pictures/', import.meta.url)
const metrics = JSON.parse(readFileSync(new URL('weather.json', folder), 'utf8'))

test('the confusion matrix and the calibration curve are what the console draws', async (t) => {
  const { confusion, calibration } = await picturesOf(metrics)
  for (const [name, picture] of [
    ['confusion', confusion],
    ['calibration', calibration],
  ] as const) {
    t.regex(picture, /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" .*<\/svg>\n$/s)
    matchesGolden(t, picture, new URL(`${name}.svg`, folder))
  }
})
