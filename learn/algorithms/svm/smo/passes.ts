import { vectorModule } from '../../vector-module.ts'
import { passesModule } from './passes-module.ts'

/**
 * `gap` is the violation of the optimality conditions; `first` and `second` are the two variables to move, -1 where none
 * violates them, and `coupling` is their value of Q.
 */
export type Choice = { first: number; second: number; gap: number; coupling: number }

/** Replaces a curvature that is not positive. */
export const tau = 1e-12

/** Sides on which a variable may still move: `up` raises y*alpha, `low` lowers it; a free variable has both. */
export const up = 1
export const low = 2
export const free = 3

/** The facts about the variables that passes read; the first `active` ones are looked at. */
export type Variables = {
  readonly y: Float64Array
  readonly diagonal: Float64Array
  readonly sides: Uint8Array
  readonly active: number
}

/** The passes over all variables of which a step is made. The last one of equals wins in each, as in LIBSVM. */
export type Passes = {
  readonly gradient: Float64Array
  /** To be called before the first pass, and where variables changed places or another number of them is active. */
  readonly arrange: (variables: Variables) => void
  /** To be called where a variable came to a bound or left it. */
  readonly turn: (i: number, side: number) => void
  /** The variable of the steepest ascent; -1 where none may ascend. */
  readonly steepest: () => number
  /** Second-order choice of `choice.second`, to move with `choice.first` whose row of Q this is; `choice.gap` is how far the sides are apart. */
  readonly partner: (row: Float32Array, choice: Choice) => void
  /** gradient += first * a + second * b; answers the steepest variable then. Without `first` that is the row of the choice of a partner before. */
  readonly move: (first: Float32Array | undefined, a: number, second: Float32Array, b: number) => number
}

type Step = (...at: readonly [number, number, number, number, number, a: number, b: number, count: number]) => number
type Partner = (
  ...at: readonly [
    number,
    number,
    number,
    number,
    number,
    ascent: number,
    sign: number,
    own: number,
    count: number,
    widest: number,
  ]
) => number
const open = vectorModule<{ readonly move: Step; readonly partner: Partner }>(passesModule)

/** Fewer variables do not repay a memory of their own. */
const fewestVariables = 64
/** Variables that the module looks at in one turn. */
const together = 4

/** By WebAssembly, which takes a third of the time; by plain code, with the same bits, where that does not pay or there is no room. */
export function createPasses(length: number): Passes {
  return (length < fewestVariables ? undefined : vectorPasses(length)) ?? plainPasses(length)
}

/** By side: the number taken off a variable that may not go up, or not down. An addition where a branch would be guessed wrong half the time. */
const barredUp = Float64Array.of(Infinity, 0, Infinity, 0)
const barredDown = Float64Array.of(Infinity, Infinity, 0, 0)

export function plainPasses(length: number): Passes {
  const gradient = new Float64Array(length)
  let variables: Variables = { y: gradient, diagonal: gradient, sides: new Uint8Array(), active: 0 }
  let chosen: Float32Array = new Float32Array()
  const steepest = (): number => steepestOf(gradient, variables)
  return {
    gradient,
    arrange: (now) => {
      variables = now
    },
    turn: () => {},
    steepest,
    partner: (row, choice) => {
      chosen = row
      findPartner(gradient, variables, row, choice)
    },
    move: (first = chosen, a, second, b) => {
      addTwoRows(gradient, first, a, second, b, variables.active)
      return steepest()
    },
  }
}

/** Undefined where the process is given no such memory. */
export function vectorPasses(length: number): Passes | undefined {
  const filled = Math.ceil(length / together) * together
  const wide = filled * Float64Array.BYTES_PER_ELEMENT
  const narrow = filled * Float32Array.BYTES_PER_ELEMENT
  const opened = open(5 * wide + 2 * narrow + Float64Array.BYTES_PER_ELEMENT)
  if (opened === undefined) return undefined
  const { buffer, functions } = opened
  const [gradientAt, yAt, upAt, downAt, diagonalAt] = [0, wide, 2 * wide, 3 * wide, 4 * wide]
  const [firstAt, secondAt, widestAt] = [5 * wide, 5 * wide + narrow, 5 * wide + 2 * narrow]
  const gradient = new Float64Array(buffer, gradientAt, length)
  const y = new Float64Array(buffer, yAt, length)
  const upBars = new Float64Array(buffer, upAt, filled)
  const downBars = new Float64Array(buffer, downAt, filled)
  const diagonal = new Float64Array(buffer, diagonalAt, length)
  const first = new Float32Array(buffer, firstAt, length)
  const second = new Float32Array(buffer, secondAt, length)
  const widest = new Float64Array(buffer, widestAt, 1)
  let active = 0
  let count = 0
  const turn = (i: number, side: number): void => {
    upBars[i] = barredUp[side] ?? 0
    downBars[i] = barredDown[side] ?? 0
  }
  return {
    gradient,
    /** Variables set aside are barred: the last turn of a pass may look at three of them. */
    arrange: (variables) => {
      active = variables.active
      count = Math.ceil(active / together) * together
      y.set(variables.y)
      diagonal.set(variables.diagonal)
      for (let i = 0; i < active; i++) turn(i, variables.sides[i] ?? 0)
      upBars.fill(Infinity, active)
      downBars.fill(Infinity, active)
    },
    turn,
    steepest: () => {
      first.fill(0)
      return functions.move(gradientAt, yAt, upAt, firstAt, firstAt, 0, 0, count)
    },
    partner: (row, choice) => {
      first.set(row.subarray(0, active))
      const sign = y[choice.first] ?? 0
      const ascent = -sign * (gradient[choice.first] ?? 0)
      const own = diagonal[choice.first] ?? 0
      choice.second = functions.partner(
        gradientAt,
        yAt,
        downAt,
        diagonalAt,
        firstAt,
        ascent,
        2 * sign,
        own,
        count,
        widestAt,
      )
      choice.gap = widest[0] ?? 0
      choice.coupling = row[choice.second] ?? 0
    },
    move: (rowI, a, rowJ, b) => {
      if (rowI !== undefined) first.set(rowI.subarray(0, active))
      second.set(rowJ.subarray(0, active))
      return functions.move(gradientAt, yAt, upAt, firstAt, secondAt, a, b, count)
    },
  }
}

/** gradient[k] += first[k] * a + second[k] * b for k below `length`. */
function addTwoRows(
  gradient: Float64Array,
  first: Float32Array,
  a: number,
  second: Float32Array,
  b: number,
  length: number,
): void {
  for (let k = 0; k < length; k++) {
    gradient[k] = (gradient[k] ?? 0) + ((first[k] ?? 0) * a + (second[k] ?? 0) * b)
  }
}

function steepestOf(gradient: Float64Array, { y, sides, active }: Variables): number {
  let best = -Infinity
  let at = -1
  for (let t = 0; t < active; t++) {
    const ascent = -(y[t] ?? 0) * (gradient[t] ?? 0) - (barredUp[sides[t] ?? 0] ?? 0)
    if (ascent < best) continue
    best = ascent
    at = t
  }
  return best === -Infinity ? -1 : at
}

function findPartner(
  gradient: Float64Array,
  { y, sides, diagonal, active }: Variables,
  row: Float32Array,
  choice: Choice,
): void {
  const ascent = -(y[choice.first] ?? 0) * (gradient[choice.first] ?? 0)
  const sign = 2 * (y[choice.first] ?? 0)
  const own = diagonal[choice.first] ?? 0
  let widest = 0
  let best = 0
  let nearBest = 0
  let at = -1
  for (let t = 0; t < active; t++) {
    const sideOf = y[t] ?? 0
    const difference = ascent + sideOf * (gradient[t] ?? 0) - (barredDown[sides[t] ?? 0] ?? 0)
    if (difference > widest) widest = difference
    const curvature = own + (diagonal[t] ?? 0) - sign * sideOf * (row[t] ?? 0)
    // A product sorts out nearly all; a pair that passes is compared by LIBSVM's quotient, whose rounding decides ties.
    if (difference * Math.abs(difference) < nearBest * curvature || difference <= 0) continue
    const gain = (difference * difference) / (curvature > 0 ? curvature : tau)
    if (gain < best) continue
    best = gain
    nearBest = gain * 0.999999999
    at = t
  }
  choice.second = at
  choice.gap = widest
  choice.coupling = row[at] ?? 0
}
