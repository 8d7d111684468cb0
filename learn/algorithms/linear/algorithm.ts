import type { Features } from '../../dataset.ts'
import { numberOf, type Parameters } from '../../parameters.ts'
import { judgeLabels } from '../../tuning/cross-validate.ts'
import { bendOf, costExponents, gridOf, powersOfTwo } from '../../tuning/grid.ts'
import { byCrossValidation } from '../../tuning/tuning.ts'
import type { TableAlgorithm } from '../algorithm.ts'
import { checkTogether, fitLinear, isMultinomial } from './fit.ts'
import { addLinearGraph } from './graph.ts'
import type { LinearModel } from './model.ts'
import { linearParameters } from './parameters.ts'
import { linearProbabilities, predictLinear } from './predict.ts'
import { solvers } from './solvers/index.ts'
import { spreadOf } from './spread.ts'

const fitRows: TableAlgorithm['fit'] = (features, target, parameters, watch) => {
  const model = fitLinear(features, target, parameters, watch)
  const { labels, outputs } = model
  return {
    addGraph: (graph, input) => addLinearGraph(graph, input, model),
    predict: (rows) => {
      const found = predictLinear(model, rows)
      return labels === undefined ? found : Array.from(found, (index) => labels[index] ?? index)
    },
    ...(labels === undefined ? {} : { labels }),
    ...(labels !== undefined && solvers[model.solver]?.probabilities === true
      ? { probabilities: (rows: Features) => linearProbabilities(model, rows) }
      : {}),
    columnImportance: { by: 'weights', columns: weightsOf(model, spreadOf(features)) },
    vectors: 1,
    summary: `${outputs} weight vectors of ${features.columns} features`,
  }
}

/** By column the mean size of its weights, times the deviation of its values: how far it moves the scores. */
function weightsOf({ columns, outputs, weights }: LinearModel, spread: Float64Array): Float64Array {
  return spread.map((deviation, column) => {
    let size = 0
    for (let output = 0; output < outputs; output += 1) size += Math.abs(weights[output * (columns + 1) + column] ?? 0)
    return (size / outputs) * deviation
  })
}

const solverOf = ({ solver }: Parameters) => (typeof solver === 'number' ? solvers[solver] : undefined)

export const linear: TableAlgorithm = {
  name: 'LIN',
  description: "linear models by LIBLINEAR's solvers: logistic regression, linear machines, linear regression",
  parameters: linearParameters,
  learnsFrom: 'rows',
  task: (parameters) => solverOf(parameters)?.target,
  check: checkTogether,
  answers: (task) => (task === 'numbers' ? 'numbers' : 'classes'),
  takesMissing: false,
  manyWords: 'places',
  needsScale: true,
  // The usual 0.1 of LIBLINEAR is in the units of the target, of which a series may vary by less.
  series: { always: false, defaults: { p: 0 } },
  fit: fitRows,
  memory: ({ rows, columns, cells, isSparse, outputs }, { solver, multi_class: asked }) => {
    const together = outputs > 2 && (asked === undefined ? solver === undefined : asked === 'multinomial')
    const byColumn = solver === 5 || solver === 6 ? 12 * cells : 0
    const byScore = together ? 24 : solver === 4 ? 16 : 0
    // All classes at once have the vectors of Newton's method each, else one after the other.
    const byWeight = together ? 96 : 48
    const leveled = together && !isSparse ? 8 * cells : 0
    return 150 * rows + byColumn + leveled + byScore * rows * outputs + byWeight * (columns + 1) * outputs
  },
  tuning: {
    maxRows: 2000,
    candidates: (_, trainSpeed) => gridOf({ C: powersOfTwo(costExponents, trainSpeed) }),
    ...byCrossValidation(
      { fitModel: fitRows, judge: ({ predict }, features, truth) => judgeLabels(predict(features), truth) },
      bendOf,
    ),
  },
  show: (parameters, target, _, performance) => {
    const solver = numberOf(parameters, 'solver', target.kind === 'numbers' ? 11 : 0)
    const eps = numberOf(parameters, 'eps', solvers[solver]?.eps)
    const together = isMultinomial(parameters, target) && { multi_class: 'multinomial' }
    return { ...parameters, solver, ...together, eps, train_perf: performance }
  },
}
