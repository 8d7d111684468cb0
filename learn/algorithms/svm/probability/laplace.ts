import type { Features, FitWatch } from '../../../dataset.ts'
import { selectRows } from '../../../select-rows.ts'
import { solveRegression } from '../formulations.ts'
import type { SvmSettings } from '../settings.ts'
import { heldOutParts } from './folds.ts'
import { createLibcRandom, shuffled } from './libc-random.ts'
import { decideSingle } from './platt.ts'

/** The scale of a Laplace distribution of held-out residuals, without those beyond five deviations (Lin and Weng 2004). */
export function laplaceScale(
  features: Features,
  targets: Float64Array,
  settings: SvmSettings,
  watch: (from: number, to: number) => FitWatch,
): number {
  const residuals = new Float64Array(targets.length)
  const order = shuffled(targets.length, createLibcRandom(settings.seed))
  for (const [fold, { part, rest }] of heldOutParts(order).entries()) {
    const known = Float64Array.from(rest, (i) => targets[i] ?? 0)
    const decision = solveRegression(features, rest, known, settings, watch(fold * 0.16, (fold + 1) * 0.16))
    const predicted = decideSingle(features, rest, decision, settings, selectRows(features, part))
    for (const [at, value] of predicted.entries()) {
      const row = part[at] ?? 0
      residuals[row] = Math.abs((targets[row] ?? 0) - value)
    }
  }
  const mean = average(residuals)
  const bound = 5 * Math.sqrt(2 * mean * mean)
  return average(residuals.filter((residual) => residual <= bound))
}

function average(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
