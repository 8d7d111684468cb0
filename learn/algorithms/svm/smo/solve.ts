import type { FitWatch } from '../../../dataset.ts'
import { choosePairNu } from './choose-pair-nu.ts'
import { moveBound, reconstructGradient, startGradient } from './gradient.ts'
import { type Choice, low, up } from './passes.ts'
import { shrink } from './shrink.ts'
import { activateAll, createSmo, type DualProblem, isAtUpperBound, type Smo, updateSides } from './state.ts'
import { movePair } from './step.ts'

export type SolveOptions = {
  readonly shrinking: boolean
  /** Two equality constraints instead of one: nu-SVC and nu-SVR. */
  readonly nu: boolean
}

export type Solution = {
  /** In the order of the problem's variables. */
  readonly alpha: Float64Array
  readonly rho: number
  /** The multiplier of the second constraint of nu problems. */
  readonly r: number
  readonly objective: number
  readonly iterations: number
  readonly converged: boolean
}

/** Kernel values between two beats: a few milliseconds of work. */
const workBetweenBeats = 1 << 18

/**
 * Sequential minimal optimisation as in LIBSVM (Chang and Lin 2011, section 4; Fan, Chen, Lin 2005): the same
 * choices, the same shrinking, the same end, so that the same data give the same support vectors.
 */
export function solve(problem: DualProblem, options: SolveOptions, watch: FitWatch): Solution {
  const state = createSmo(problem)
  const progress = createProgress(state, watch)
  startGradient(state, progress.beat)
  const limit = Math.max(10_000_000, 100 * state.length)
  const period = Math.min(state.length, 1000)
  const choose = options.nu ? choosePairNu : choosePair
  const choice: Choice = { first: -1, second: -1, gap: Infinity, coupling: 0 }
  let iterations = 0
  let untilShrink = period + 1
  let converged = false
  while (iterations < limit) {
    if (--untilShrink === 0) {
      untilShrink = period
      if (options.shrinking) shrink(state, options.nu, progress.beat)
    }
    choose(state, choice)
    if (choice.second === -1) {
      reconstructGradient(state, progress.beat)
      activateAll(state)
      choose(state, choice)
      converged = choice.second === -1
      if (converged) break
      untilShrink = 1
    }
    iterations++
    step(state, choice, options.nu)
    progress.gap(choice.gap)
  }
  if (!converged) {
    watch.log(`WARNING: reached the limit of ${limit} iterations; scaled data or a smaller C converge sooner`)
    reconstructGradient(state, progress.beat)
    activateAll(state)
  }
  return { ...solutionOf(state, options.nu), iterations, converged }
}

/** The choice of a nu problem may have looked at another row than that of the first variable. */
function step(state: Smo, { first: i, second: j, coupling }: Choice, nu: boolean): void {
  const { alpha, active, passes, q } = state
  const rowI = nu ? q.row(i, active) : undefined
  const rowJ = q.row(j, active)
  const [beforeI, beforeJ] = [alpha[i] ?? 0, alpha[j] ?? 0]
  const wereAtUpper = [isAtUpperBound(state, i), isAtUpperBound(state, j)] as const
  movePair(state, i, j, coupling)
  updateSides(state, i)
  updateSides(state, j)
  state.steepest = passes.move(rowI, (alpha[i] ?? 0) - beforeI, rowJ, (alpha[j] ?? 0) - beforeJ)
  if (wereAtUpper[0] !== isAtUpperBound(state, i)) moveBound(state, i, wereAtUpper[0] ? -1 : 1)
  if (wereAtUpper[1] !== isAtUpperBound(state, j)) moveBound(state, j, wereAtUpper[1] ? -1 : 1)
}

function solutionOf(state: Smo, nu: boolean) {
  let objective = 0
  for (const [i, alpha] of state.alpha.entries()) {
    objective += (alpha * ((state.gradient[i] ?? 0) + (state.linear[i] ?? 0))) / 2
  }
  const alpha = new Float64Array(state.length)
  for (const [i, original] of state.order.entries()) alpha[original] = state.alpha[i] ?? 0
  if (!nu) return { alpha, objective, rho: threshold(state, 0), r: 0 }
  // Slopes of the negative side carry the sign of y: r is the mean of the plain gradients, rho half their difference.
  const positive = threshold(state, 1)
  const negative = -threshold(state, -1)
  return { alpha, objective, rho: (positive - negative) / 2, r: (positive + negative) / 2 }
}

/** How far the gap has come from where it began to the tolerance, on a logarithmic scale. */
function createProgress(state: Smo, watch: FitWatch) {
  let work = 0
  let widest = 0
  let fraction = 0
  const beat = () => {
    work += state.length
    if (work < workBetweenBeats) return
    work = 0
    watch.beat(fraction)
  }
  const gap = (now: number): void => {
    widest = Math.max(widest, now)
    work += state.active
    if (work < workBetweenBeats) return
    work = 0
    const share = Math.log(widest / now) / Math.log(widest / state.tolerance)
    if (share > fraction && share < 1) fraction = share
    watch.beat(fraction)
  }
  return { beat, gap }
}

/** The threshold of the decision: mean slope of the free variables of one sign of y (0: both), or the middle between the bounded ones. */
function threshold({ y, gradient, sides, active }: Smo, sign: 1 | -1 | 0): number {
  let upper = Infinity
  let lower = -Infinity
  let count = 0
  let sum = 0
  for (let t = 0; t < active; t++) {
    const sideOf = y[t] ?? 0
    if (sideOf === -sign) continue
    const slope = sideOf * (gradient[t] ?? 0)
    if (sides[t] === up) upper = Math.min(upper, slope)
    else if (sides[t] === low) lower = Math.max(lower, slope)
    else {
      count++
      sum += slope
    }
  }
  return count > 0 ? sum / count : (upper + lower) / 2
}

/** Second-order working-set selection (Fan, Chen, Lin 2005, algorithm WSS 2). */
function choosePair(state: Smo, choice: Choice): void {
  const { passes } = state
  choice.first = state.steepest ?? passes.steepest()
  choice.second = -1
  choice.gap = 0
  if (choice.first === -1) return
  passes.partner(state.q.row(choice.first, state.active), choice)
  if (choice.gap < state.tolerance) choice.second = -1
}
