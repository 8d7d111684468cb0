import { Refusal } from '../../../base/refusal.ts'
import type { Classes, Features, FitWatch } from '../../dataset.ts'
import { placesOfNames, strayWeights } from '../class-weights.ts'
import { type ClassGroups, classPairs, groupClasses } from './class-groups.ts'
import { type Costs, type Decision, solveTwoClasses } from './formulations.ts'
import { createLibcRandom, shuffled } from './probability/libc-random.ts'
import { crossDecisions } from './probability/platt.ts'
import { fitSigmoid, type Sigmoid } from './probability/sigmoid.ts'
import { type SvmSettings, svmType } from './settings.ts'

/** One class against another: all that a worker thread needs beside the features and the settings. */
export type PairProblem = {
  /** The rows of the positive class, then those of the negative one. */
  readonly rows: Int32Array
  readonly positives: number
  readonly costs: Costs
  /** The order from which the folds for probabilities are cut. */
  readonly shuffle?: Int32Array
}

export type SolvedPair = { readonly decision: Decision; readonly sigmoid?: Sigmoid }

/** The one-against-one problems of a classification; they can be solved in any order, also side by side. */
export function planPairs(
  target: Classes,
  settings: SvmSettings,
  log: FitWatch['log'],
): { readonly groups: ClassGroups; readonly problems: readonly PairProblem[] } {
  const groups = groupClasses(target)
  if (groups.labels.length < 2) throw new Refusal('the target has one class only; a classifier needs two at least')
  const costs = costsOf(groups.labels, settings, log)
  const random = createLibcRandom(settings.seed)
  const problems = classPairs(groups.labels.length).map(([i, j]) => {
    const [positive, negative] = [groups.rows[i] ?? new Int32Array(), groups.rows[j] ?? new Int32Array()]
    if (settings.type === svmType.nuSvc) requireFeasible(settings.nu, positive.length, negative.length)
    const rows = new Int32Array(positive.length + negative.length)
    rows.set(positive)
    rows.set(negative, positive.length)
    const problem = {
      rows,
      positives: positive.length,
      costs: { positive: costs[i] ?? settings.cost, negative: costs[j] ?? settings.cost },
    }
    return settings.probability ? { ...problem, shuffle: shuffled(rows.length, random) } : problem
  })
  return { groups, problems }
}

export function solvePair(
  features: Features,
  problem: PairProblem,
  settings: SvmSettings,
  watch: (from: number, to: number) => FitWatch,
): SolvedPair {
  const { rows, positives, costs, shuffle } = problem
  if (shuffle === undefined)
    return { decision: solveTwoClasses(features, rows, positives, costs, settings, watch(0, 1)) }
  const decisions = crossDecisions(features, { ...problem, shuffle }, settings, watch)
  const sigmoid = fitSigmoid(decisions, (i) => i < positives)
  return { decision: solveTwoClasses(features, rows, positives, costs, settings, watch(0.8, 1)), sigmoid }
}

function costsOf(
  labels: readonly (number | string)[],
  { weights, cost }: SvmSettings,
  log: FitWatch['log'],
): readonly number[] {
  const names = weights.map(({ label }) => label)
  for (const stray of strayWeights(names, labels)) log(stray)
  return placesOfNames(names, labels).map((places) =>
    places.reduce((product, place) => product * (weights[place]?.weight ?? 1), cost),
  )
}

function requireFeasible(nu: number, first: number, second: number): void {
  if ((nu * (first + second)) / 2 <= Math.min(first, second)) return
  const max = (2 * Math.min(first, second)) / (first + second)
  throw new Refusal(`nu is ${nu}, but classes of ${first} and ${second} rows allow ${max.toFixed(4)} at most`)
}
