import { Refusal } from '../../../base/refusal.ts'
import type { Classes, Features, FitWatch, Target } from '../../dataset.ts'
import { numberOf, type Parameters } from '../../parameters.ts'
import { createRandom } from '../../random.ts'
import { classWeights, excessOf, withBalance } from '../class-weights.ts'
import { columnsOf } from '../columns.ts'
import { level } from './level.ts'
import type { LinearModel } from './model.ts'
import type { Problem } from './problem.ts'
import { rowsOf } from './rows.ts'
import { solveCrammerSinger } from './solvers/crammer-singer.ts'
import { type Solver, solvers } from './solvers/index.ts'
import { solveMultinomial } from './solvers/multinomial.ts'

/** Three classes or more are learnt together, unless the request names a solver of LIBLINEAR or asks for one against the rest. */
export const isMultinomial = (parameters: Parameters, target: Target): boolean => {
  if (target.kind !== 'classes' || target.labels.length < 3) return false
  const { multi_class: asked, solver } = parameters
  return asked === undefined ? solver === undefined : asked === 'multinomial'
}

export function checkTogether({ multi_class: asked, solver = 0 }: Parameters): void {
  if (asked !== 'multinomial' || solver === 0) return
  const name = typeof solver === 'number' ? solvers[solver]?.name : undefined
  throw new Refusal(`multi_class multinomial is for solver 0 (L2R_LR), and solver is ${solver} (${name ?? 'unknown'})`)
}

/**
 * LIBLINEAR's models: one problem for two classes or numbers, one against the rest for more classes. Beside them logistic
 * regression of all classes together.
 */
export function fitLinear(features: Features, target: Target, parameters: Parameters, watch: FitWatch): LinearModel {
  const number = numberOf(parameters, 'solver', target.kind === 'numbers' ? 11 : 0)
  const solver = solvers[number]
  if (solver === undefined) throw new Refusal(`solver ${number} is unknown`)
  if (target.kind !== solver.target) {
    throw new Refusal(`solver ${number} (${solver.name}) learns ${solver.target}, and the target holds ${target.kind}`)
  }
  checkTogether(parameters)
  const bias = numberOf(parameters, 'bias')
  const weighted = withBalance(parameters, target, watch.log)
  const setting: Setting = { features, bias, solver, parameters: weighted, watch, cost: numberOf(parameters, 'C') }
  if (target.kind === 'numbers') {
    const costs = new Float64Array(target.values.length).fill(setting.cost)
    return modelOf(number, setting, [solveOne(setting, target.values, costs, (share) => watch.beat(share))])
  }
  if (target.labels.length < 2) throw new Refusal('the target has one class; a classifier needs two')
  const together = isMultinomial(parameters, target)
  const vectors = together ? allTogether(setting, target) : classVectors(setting, target)
  const excess = excessOf(parameters, target, vectors.length)
  const model = modelOf(number, setting, vectors)
  return { ...model, labels: target.labels, ...(together && { together }), ...(excess && { excess }) }
}

type Setting = {
  readonly features: Features
  readonly bias: number
  readonly solver: Solver
  readonly parameters: Parameters
  readonly watch: FitWatch
  readonly cost: number
}

function classVectors(setting: Setting, target: Classes): readonly Float64Array[] {
  const { solver, watch, parameters } = setting
  const costs = classWeights(parameters, target.labels, watch.log).map((weight) => weight * setting.cost)
  if (solver.solve === undefined) return allAtOnce(setting, target, costs)
  const positives = target.labels.length === 2 ? [0] : target.labels.keys()
  return Array.from(positives, (positive) => {
    const targets = Float64Array.from(target.classes, (index) => (index === positive ? 1 : -1))
    // As in LIBLINEAR, the rest costs plain C where there are more than two classes.
    const rest = target.labels.length === 2 ? (costs[1] ?? 0) : setting.cost
    const rowCosts = targets.map((y) => (y > 0 ? (costs[positive] ?? 0) : rest))
    const beat = (share: number): void =>
      watch.beat((positive + share) / target.labels.length, `class ${positive + 1} of ${target.labels.length}`)
    return solveOne(setting, targets, rowCosts, beat)
  })
}

function solveOne(
  { features, bias, solver, parameters, watch }: Setting,
  targets: Float64Array,
  costs: Float64Array,
  beat: (share: number) => void,
): Float64Array {
  const problem: Problem = {
    rows: rowsOf(features, bias),
    columns: () => columnsOf(features, bias),
    targets,
    costs,
    eps: numberOf(parameters, 'eps', solver.eps),
    p: numberOf(parameters, 'p'),
    random: createRandom(numberOf(parameters, 'seed')),
    beat,
  }
  const solution = solver.solve?.(problem)
  if (solution === undefined) throw new Error(`${solver.name} does not solve one problem at a time`)
  report(solver, solution, watch)
  return solution.weights
}

function allAtOnce(setting: Setting, target: Classes, costs: readonly number[]): readonly Float64Array[] {
  const { solver, parameters, watch } = setting
  const solution = solveCrammerSinger({
    rows: rowsOf(setting.features, setting.bias),
    classes: target.classes,
    costs: Float64Array.from(costs),
    eps: numberOf(parameters, 'eps', solver.eps),
    random: createRandom(numberOf(parameters, 'seed')),
    beat: (share) => watch.beat(share),
  })
  report(solver, solution, watch)
  return solution.weights
}

function allTogether(setting: Setting, target: Classes): readonly Float64Array[] {
  const { features, bias, cost, solver, parameters, watch } = setting
  const costs = classWeights(parameters, target.labels, watch.log).map((weight) => weight * cost)
  const leveled = level(features, bias)
  const rows = rowsOf(leveled.rows, bias)
  const solution = solveMultinomial({
    rows,
    classes: target.classes,
    costs: Float64Array.from(costs),
    eps: numberOf(parameters, 'eps', solver.eps),
    beat: (share) => watch.beat(share),
  })
  report({ name: `${solver.name} of all classes together` }, solution, watch)
  return costs.map((_, m) => leveled.back(solution.weights.subarray(m * rows.size, (m + 1) * rows.size)))
}

function report(
  { name }: Pick<Solver, 'name'>,
  { passes, converged }: { passes: number; converged: boolean },
  { log }: FitWatch,
): void {
  log(converged ? `${name} settled after ${passes} passes` : `${name} ended its ${passes} passes before it settled`)
}

function modelOf(solver: number, { features, bias }: Setting, vectors: readonly Float64Array[]): LinearModel {
  const { columns } = features
  const weights = new Float64Array(vectors.length * (columns + 1))
  for (const [output, vector] of vectors.entries()) {
    weights.set(vector.subarray(0, columns), output * (columns + 1))
    weights[output * (columns + 1) + columns] = bias < 0 ? 0 : bias * (vector[columns] ?? 0)
  }
  return { solver, columns, outputs: vectors.length, weights }
}
