import type { Learned, TableAlgorithm } from '../../learn/algorithms/algorithm.ts'
import { batchFor, type ModelDescription } from '../../learn/description.ts'
import type { Layout } from '../../learn/layout.ts'
import type { SeriesRule } from '../../learn/series/rule.ts'
import type { TrainingRequest } from './decode/request.ts'

/** The description that a model carries, so that a program that has only its file can ask it. */
export function describeModel(
  { parameters, series }: Pick<TrainingRequest, 'parameters'> & { readonly series?: SeriesRule | undefined },
  algorithm: TableAlgorithm,
  layout: Layout,
  target: 'classes' | 'numbers' | 'none',
  learned: Learned,
  version: string,
): ModelDescription {
  return {
    weir: 1,
    algorithm: algorithm.name,
    task: algorithm.answers(target),
    ...placesOf(layout),
    ...(learned.labels === undefined ? {} : { labels: [...learned.labels] }),
    outside: [],
    batch: batchFor(learned.vectors),
    version,
    parameters,
    ...(series && { series: seriesShown(series) }),
  }
}

/** The quantity is the target. */
const seriesShown = ({ quantity: _, ...shown }: SeriesRule) => shown

/** The members of a description that follow from a layout; kinds are those that the data decided. */
export function placesOf({ columns, target, separator, missing }: Layout) {
  const attributes = columns.map(({ name, position, kind = 'number', dates, booleans }) => ({
    name,
    position,
    kind,
    ...(dates && { dates }),
    ...(booleans && { booleans }),
  }))
  const rules = { separator, ...(missing && { missing: [...missing] }) }
  if (target === undefined) return { attributes, ...rules }
  const { name, position, kind, unnamed, before } = target
  const place = { name, position, ...(before !== undefined && { before }) }
  const known = { ...place, ...(kind && { kind }), ...(unnamed && { unnamed }) }
  return { attributes, ...rules, target: known }
}
