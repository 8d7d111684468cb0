const TOLERANCE = 0.5
const DIAGONAL_SHARE = 0.01

/** The second derivatives at a point: a symmetric matrix H, which is at least the identity. */
export type Bend = {
  /** image = H direction */
  readonly multiply: (direction: Float64Array, image: Float64Array) => void
  readonly diagonal: Float64Array
}

/**
 * An approximate Newton step s with H s = -g: conjugate gradients, preconditioned by the diagonal mixed with the
 * identity (Hsia, Chiang and Lin, ACML 2018), until the quadratic model falls little more (Nash and Sofer, 1990).
 */
export function solveByConjugateGradients(
  { multiply, diagonal: own }: Bend,
  gradient: Float64Array,
  beat: () => void,
): Float64Array {
  const size = gradient.length
  const diagonal = own.map((entry) => 1 - DIAGONAL_SHARE + DIAGONAL_SHARE * entry)
  const step = new Float64Array(size)
  const residual = gradient.map((g) => -g)
  const direction = residual.map((r, j) => r / (diagonal[j] ?? 1))
  const image = new Float64Array(size)
  let rz = dot(residual, direction)
  const tolerance = Math.min(TOLERANCE, Math.sqrt(Math.sqrt(rz)))
  let model = 0

  for (let iteration = 1; iteration <= Math.max(size, 5); iteration++) {
    beat()
    multiply(direction, image)
    const bend = dot(direction, image)
    if (bend <= 1e-16) break
    const length = rz / bend
    for (let j = 0; j < size; j++) {
      step[j] = (step[j] ?? 0) + length * (direction[j] ?? 0)
      residual[j] = (residual[j] ?? 0) - length * (image[j] ?? 0)
    }
    const reached = -0.5 * (dot(step, residual) - dot(step, gradient))
    const gain = reached - model
    if (reached > 0 || gain > 0 || iteration * gain >= tolerance * reached) break
    model = reached

    const old = rz
    rz = 0
    for (let j = 0; j < size; j++) rz += (residual[j] ?? 0) ** 2 / (diagonal[j] ?? 1)
    const share = rz / old
    for (let j = 0; j < size; j++) {
      direction[j] = (residual[j] ?? 0) / (diagonal[j] ?? 1) + share * (direction[j] ?? 0)
    }
  }
  return step
}

export function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let j = 0; j < a.length; j++) sum += (a[j] ?? 0) * (b[j] ?? 0)
  return sum
}
