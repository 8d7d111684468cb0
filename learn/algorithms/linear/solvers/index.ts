import type { Problem, Solution } from '../problem.ts'
import { solveDualLogistic } from './dual-logistic.ts'
import { solveDualSvm } from './dual-svm.ts'
import { solveDualSvr } from './dual-svr.ts'
import { solveLassoLogistic } from './lasso-logistic.ts'
import { solveLassoSvm } from './lasso-svm.ts'
import { logisticLoss, squaredHinge, squaredTube } from './losses.ts'
import { minimizeByNewton } from './newton.ts'

export type Solver = {
  readonly name: string
  readonly target: 'classes' | 'numbers'
  /** LIBLINEAR's default of `eps`. */
  readonly eps: number
  /** The logistic loss gives probabilities; the others give scores alone. */
  readonly probabilities: boolean
  /** Absent for the one solver that takes all classes at once. */
  readonly solve?: (problem: Problem) => Solution
}

/** The solvers by LIBLINEAR's numbers. */
export const solvers: Readonly<Record<number, Solver>> = {
  0: {
    name: 'L2R_LR',
    target: 'classes',
    eps: 0.01,
    probabilities: true,
    solve: (problem) => minimizeByNewton(problem, logisticLoss(problem), balanced(problem)),
  },
  1: {
    name: 'L2R_L2LOSS_SVC_DUAL',
    target: 'classes',
    eps: 0.1,
    probabilities: false,
    solve: (problem) =>
      finished(solveDualSvm(problem, 'squared hinge'), ({ weights }) =>
        minimizeByNewton(problem, squaredHinge(problem), 0.1 * balanced(problem), weights),
      ),
  },
  2: {
    name: 'L2R_L2LOSS_SVC',
    target: 'classes',
    eps: 0.01,
    probabilities: false,
    solve: (problem) => minimizeByNewton(problem, squaredHinge(problem), balanced(problem)),
  },
  3: {
    name: 'L2R_L1LOSS_SVC_DUAL',
    target: 'classes',
    eps: 0.1,
    probabilities: false,
    solve: (problem) => solveDualSvm(problem, 'hinge'),
  },
  4: { name: 'MCSVM_CS', target: 'classes', eps: 0.1, probabilities: false },
  5: {
    name: 'L1R_L2LOSS_SVC',
    target: 'classes',
    eps: 0.01,
    probabilities: false,
    solve: (problem) => solveLassoSvm(problem, balanced(problem)),
  },
  6: {
    name: 'L1R_LR',
    target: 'classes',
    eps: 0.01,
    probabilities: true,
    solve: (problem) => solveLassoLogistic(problem, balanced(problem)),
  },
  7: {
    name: 'L2R_LR_DUAL',
    target: 'classes',
    eps: 0.1,
    probabilities: true,
    solve: (problem) =>
      finished(solveDualLogistic(problem), ({ weights }) =>
        minimizeByNewton(problem, logisticLoss(problem), 0.1 * balanced(problem), weights),
      ),
  },
  11: {
    name: 'L2R_L2LOSS_SVR',
    target: 'numbers',
    eps: 0.0001,
    probabilities: false,
    solve: (problem) => minimizeByNewton(problem, squaredTube(problem), problem.eps),
  },
  12: {
    name: 'L2R_L2LOSS_SVR_DUAL',
    target: 'numbers',
    eps: 0.1,
    probabilities: false,
    solve: (problem) =>
      finished(solveDualSvr(problem, 'squared'), ({ weights }) =>
        minimizeByNewton(problem, squaredTube(problem), 0.001 * problem.eps, weights),
      ),
  },
  13: {
    name: 'L2R_L1LOSS_SVR_DUAL',
    target: 'numbers',
    eps: 0.1,
    probabilities: false,
    solve: (problem) => solveDualSvr(problem, 'absolute'),
  },
}

/** Where a dual method runs out of passes, Newton's method goes on from there, as in LIBLINEAR. */
function finished(solution: Solution, goOn: (from: Solution) => Solution): Solution {
  return solution.converged ? solution : goOn(solution)
}

/** LIBLINEAR tightens the tolerance by the smaller class's share. */
function balanced({ targets, eps }: Problem): number {
  const positive = targets.reduce((count, y) => count + (y > 0 ? 1 : 0), 0)
  return (eps * Math.max(Math.min(positive, targets.length - positive), 1)) / targets.length
}
