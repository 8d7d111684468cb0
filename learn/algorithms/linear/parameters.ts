import type { Parameter } from '../../parameters.ts'
import { classWeightParameters } from '../class-weights.ts'
import { solvers } from './solvers/index.ts'

export const linearParameters: readonly Parameter[] = [
  {
    name: 'solver',
    aliases: ['solver_type'],
    type: 'integer',
    oneOf: Object.keys(solvers).map(Number),
    codes: Object.fromEntries(Object.entries(solvers).map(([code, { name }]) => [name, Number(code)])),
    description:
      "LIBLINEAR's solver, by number or name; without it 0 (L2R_LR) for classes, 11 (L2R_L2LOSS_SVR) for numbers",
  },
  {
    name: 'multi_class',
    type: 'text',
    oneOf: ['multinomial', 'ovr'],
    description:
      'Of three classes or more: multinomial, all learnt together (solver 0), each number by its deviation; ovr, each against the rest, as LIBLINEAR does; without it multinomial, or ovr where solver is given',
  },
  {
    name: 'C',
    aliases: ['c', 'cost'],
    type: 'number',
    default: 1,
    min: 1e-10,
    max: 1e10,
    description: 'The cost of an error against the size of the weights',
  },
  {
    name: 'p',
    aliases: ['eps_svr'],
    type: 'number',
    default: 0.1,
    min: 0,
    description: 'Errors up to p cost nothing (solvers 11 to 13); with lag the default is 0',
  },
  {
    name: 'eps',
    aliases: ['termination_criteria'],
    type: 'number',
    min: 1e-12,
    max: 1,
    description:
      "The tolerance of the solver's stopping rule; without it LIBLINEAR's: 0.01 for 0, 2, 5 and 6, 0.0001 for 11, else 0.1",
  },
  {
    name: 'bias',
    aliases: ['B'],
    type: 'number',
    default: 1,
    description: 'The value of a constant feature that gives the model an intercept; negative for none',
  },
  ...classWeightParameters,
  {
    name: 'seed',
    type: 'integer',
    default: 1,
    description: 'Where the order of coordinate descent begins; the same seed gives the same model',
  },
]
