import { Refusal } from '../../../base/refusal.ts'
import type { Features, FitWatch, Target } from '../../dataset.ts'
import type { Parameters } from '../../parameters.ts'
import { selectRows } from '../../select-rows.ts'
import { isBalanced, withBalance } from '../class-weights.ts'
import { type ClassGroups, classPairs } from './class-groups.ts'
import type { FittedSvm } from './fitted-svm.ts'
import { type Decision, fasterFeatures, solveOneClass, solveRegression } from './formulations.ts'
import { planPairs, type SolvedPair, solvePair } from './pairs.ts'
import { laplaceScale } from './probability/laplace.ts'
import { movedBy, originFor } from './rows/near-origin.ts'
import { classifies, kernelType, type SvmSettings, svmType } from './settings.ts'
import { svmSettings, withSvmType } from './svm-parameters.ts'

/** Trains as LIBSVM does. Memory: one copy of the rows of a pair, `cache_size` MB of kernel rows, 100 bytes a row. */
export function fitSvm(features: Features, target: Target, parameters: Parameters, watch: FitWatch): FittedSvm {
  const settings = svmSettings(withSvmType(withBalance(parameters, target, watch.log), target), features.columns)
  const rows = fasterFeatures(features)
  // Distances are the same from any origin, and have more digits from one that is near.
  const near = settings.kernel === kernelType.rbf ? movedBy(rows, originFor(rows)) : rows
  if (!classifies(settings)) return fitSingle(rows, near, target, settings, watch)
  if (target.kind !== 'classes') throw new Refusal('C_SVC and NU_SVC learn classes; the target is numbers')
  const { groups, problems } = planPairs(target, settings, watch.log)
  const sizes = problems.map((problem) => problem.rows.length ** 2)
  const total = sizes.reduce((sum, size) => sum + size, 0)
  let done = 0
  const solved = problems.map((problem, pair) => {
    const share = (sizes[pair] ?? 0) / total
    const start = done
    done += share
    return solvePair(near, problem, settings, (from, to) => watchPart(watch, start + share * from, start + share * to))
  })
  const fitted = assembleClassifier(rows, groups, solved, settings)
  return isBalanced(parameters) ? { ...fitted, votes: true } : fitted
}

/** One model of the solved pairs, which come in the order that `planPairs` gave. */
function assembleClassifier(
  features: Features,
  groups: ClassGroups,
  solved: readonly SolvedPair[],
  settings: SvmSettings,
): FittedSvm {
  const count = groups.labels.length
  const pairs = classPairs(count)
  const halves = pairs.map(([i], pair) => {
    const coefficients = solved[pair]?.decision.coefficients ?? new Float64Array()
    const split = groups.rows[i]?.length ?? 0
    return { first: coefficients.subarray(0, split), second: coefficients.subarray(split) }
  })
  /** Coefficients of class `group` against each other class, in the rows of `coefficients`. */
  const against = (group: number): Float64Array[] =>
    pairs.flatMap(([i, j], pair) => {
      const half = halves[pair]
      if (half === undefined) return []
      return i === group ? [half.first] : j === group ? [half.second] : []
    })
  const kept = groups.rows.map((rows, group) => {
    const lines = against(group)
    return Int32Array.from(rows.keys()).filter((at) => lines.some((line) => (line[at] ?? 0) !== 0))
  })
  const coefficients = Array.from({ length: count - 1 }, (_, line) =>
    kept.flatMap((places, group) => Array.from(places, (at) => against(group)[line]?.[at] ?? 0)),
  )
  const sigmoids = solved.flatMap(({ sigmoid }) => (sigmoid === undefined ? [] : [sigmoid]))
  return {
    ...describe(settings),
    labels: groups.labels,
    supportVectors: selectRows(
      features,
      Int32Array.from(kept.flatMap((places, group) => Array.from(places, (at) => groups.rows[group]?.[at] ?? 0))),
    ),
    supportCounts: Int32Array.from(kept, (places) => places.length),
    coefficients: Float64Array.from(coefficients.flat()),
    rho: Float64Array.from(solved, ({ decision }) => decision.rho),
    ...(settings.probability ? { sigmoids } : {}),
    iterations: solved.reduce((sum, { decision }) => sum + decision.iterations, 0),
  }
}

function fitSingle(
  features: Features,
  near: Features,
  target: Target,
  settings: SvmSettings,
  watch: FitWatch,
): FittedSvm {
  const all = Int32Array.from({ length: features.rows }, (_, i) => i)
  if (settings.type === svmType.oneClass) {
    return assembleSingle(features, solveOneClass(near, all, settings, watch), settings)
  }
  if (target.kind !== 'numbers') throw new Refusal('EPSILON_SVR and NU_SVR learn numbers; the target is classes')
  const part = (from: number, to: number) => watchPart(watch, from, to)
  if (!settings.probability) {
    return assembleSingle(features, solveRegression(near, all, target.values, settings, watch), settings)
  }
  const scale = laplaceScale(near, target.values, settings, part)
  const decision = solveRegression(near, all, target.values, settings, part(0.8, 1))
  return { ...assembleSingle(features, decision, settings), laplaceScale: scale }
}

function assembleSingle(features: Features, decision: Decision, settings: SvmSettings): FittedSvm {
  const kept = Int32Array.from(decision.coefficients.keys()).filter((i) => decision.coefficients[i] !== 0)
  return {
    ...describe(settings),
    labels: [],
    supportVectors: selectRows(features, kept),
    supportCounts: Int32Array.of(kept.length),
    coefficients: Float64Array.from(kept, (i) => decision.coefficients[i] ?? 0),
    rho: Float64Array.of(decision.rho),
    iterations: decision.iterations,
  }
}

function describe(settings: SvmSettings) {
  const { type, kernel, degree, gamma, coef0 } = settings
  return { algorithm: 'SVM' as const, type, kernel: { kernel, degree, gamma, coef0 } }
}

/** The same watch for a part of the work: its 0..1 are `from`..`to` of the whole. */
function watchPart(watch: FitWatch, from: number, to: number): FitWatch {
  return { log: watch.log, beat: (fraction, note) => watch.beat(from + (to - from) * fraction, note) }
}
