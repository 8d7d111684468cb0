import type { Features, FitWatch } from '../../../dataset.ts'
import { selectRows } from '../../../select-rows.ts'
import { decide } from '../decide.ts'
import { type Costs, type Decision, solveTwoClasses } from '../formulations.ts'
import { type KernelSettings, type SvmSettings, svmType } from '../settings.ts'
import { heldOutParts } from './folds.ts'

type Problem = {
  readonly rows: Int32Array
  readonly positives: number
  readonly costs: Costs
  readonly shuffle: Int32Array
}

/** The decision of each row while it was held out, by five-fold cross-validation; in the order of `rows`. */
export function crossDecisions(
  features: Features,
  { rows, positives, costs, shuffle }: Problem,
  settings: SvmSettings,
  watch: (from: number, to: number) => FitWatch,
): Float64Array {
  const decisions = new Float64Array(rows.length)
  for (const [fold, { part, rest }] of heldOutParts(shuffle).entries()) {
    const positive = rest.filter((i) => i < positives)
    const negative = rest.filter((i) => i >= positives)
    if (positive.length === 0 || negative.length === 0) {
      for (const i of part) decisions[i] = Math.sign(positive.length - negative.length)
      continue
    }
    const training = Int32Array.from([...positive, ...negative], (i) => rows[i] ?? 0)
    const step = watch(fold * 0.16, (fold + 1) * 0.16)
    const decision = solveTwoClasses(features, training, positive.length, costs, settings, step)
    const held = selectRows(
      features,
      part.map((i) => rows[i] ?? 0),
    )
    for (const [at, value] of decideSingle(features, training, decision, settings, held).entries()) {
      decisions[part[at] ?? 0] = value
    }
  }
  return decisions
}

/** The decisions of one solved problem on other rows. */
export function decideSingle(
  features: Features,
  rows: Int32Array,
  { coefficients, rho, iterations }: Decision,
  kernel: KernelSettings,
  held: Features,
): Float64Array {
  const kept = rows.filter((_, i) => coefficients[i] !== 0)
  return decide(
    {
      algorithm: 'SVM',
      type: svmType.oneClass,
      kernel,
      labels: [],
      supportVectors: selectRows(features, kept),
      supportCounts: Int32Array.of(kept.length),
      coefficients: coefficients.filter((coefficient) => coefficient !== 0),
      rho: Float64Array.of(rho),
      iterations,
    },
    held,
  )
}
