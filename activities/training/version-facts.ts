import { writeExactJson } from '../../base/exact-json.ts'
import type { ModelDescription } from '../../learn/description.ts'
import { createNumberReader, dateOf } from '../../learn/encoding/number-reader.ts'
import type { Cell, Row } from '../../learn/formats/row.ts'
import type { VersionFacts } from '../models/stores/versions.ts'
import type { TrainingSource } from './decode/request.ts'
import { shownTaking } from './tell-taken.ts'

/** Sparse data have hundreds of thousands of attributes: a card shows the first ones, and has no example. */
const maxAttributes = 1_000

/** The facts that a version records of its model: the predicted attribute, and the inputs. */
export function versionFacts(
  { task, target, labels, attributes, parameters = {}, series }: ModelDescription,
  sample: readonly Row[],
  source: TrainingSource,
): VersionFacts {
  return {
    task,
    ...(target !== undefined && { target: target.name }),
    ...(labels !== undefined && { labels }),
    attributes: attributes.slice(0, maxAttributes).map(({ name, kind }) => ({ name, kind })),
    num_attributes: attributes.length,
    parameters,
    ...(series !== undefined && { series }),
    source: shownSource(source),
    // A line to predict lacks no attribute.
    example: exampleOf(attributes.length > maxAttributes ? [] : attributes, sample),
  }
}

function shownSource(source: TrainingSource): Record<string, string> {
  const training_source_type = source.type
  if (source.type === 'STREAM')
    return { training_source_type, 'stream-name': source.stream, ...shownTaking(source.taking) }
  if (source.type === 'TABLE')
    return {
      training_source_type,
      training_source: `${source.database}.${source.table}`,
      ...shownTaking(source.taking),
    }
  const place = { training_source_type, bucket_name: source.bucket }
  if (source.type === 'BUCKET') return place
  return { ...place, training_source: source.type === 'FILE' ? source.key : source.prefix }
}

/** Usual values of the first rows, each by itself: together they are no row. */
function exampleOf(attributes: ModelDescription['attributes'], sample: readonly Row[]): string {
  const members = attributes.map(({ name, kind, fill = 0 }, i) => {
    const cells = sample.map((row) => row.cells[i])
    return [name, kind === 'number' ? (median(cells) ?? Number(fill.toPrecision(4))) : (mode(cells) ?? 'a text')]
  })
  return writeExactJson(Object.fromEntries(members))
}

const read = createNumberReader({ dates: true })

/** A date stays the text that it is. */
function median(cells: readonly Cell[]): number | string | undefined {
  const numbers = cells.flatMap((cell) => {
    const number = read(cell)
    return number === undefined || Number.isNaN(number) ? [] : [{ cell, number }]
  })
  const { cell, number } = numbers.sort((a, b) => a.number - b.number)[numbers.length >> 1] ?? {}
  return typeof cell === 'string' && dateOf(cell) !== undefined ? cell : number
}

/** The text that most cells hold, where it is no single row's. */
function mode(cells: readonly Cell[]): string | undefined {
  const counts = new Map<string, number>()
  for (const cell of cells) if (cell !== undefined) counts.set(String(cell), (counts.get(String(cell)) ?? 0) + 1)
  const [max] = [...counts].sort(([, a], [, b]) => b - a)
  return max !== undefined && max[1] > 1 ? max[0] : undefined
}
