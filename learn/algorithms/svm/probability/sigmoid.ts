/** P(positive | decision) = 1 / (1 + exp(slope * decision + shift)). */
export type Sigmoid = { readonly slope: number; readonly shift: number }

/** A pair's probability is kept this far from 0 and 1. */
export const minProbability = 1e-7

const steps = 100
const smallestStep = 1e-10
const ridge = 1e-12
const flat = 1e-5

/** Fits Platt's sigmoid by Newton's method with a line search (Lin, Lin, Weng 2007, appendix C). */
export function fitSigmoid(decisions: Float64Array, positive: (i: number) => boolean): Sigmoid {
  const positives = decisions.reduce((count, _, i) => count + (positive(i) ? 1 : 0), 0)
  const negatives = decisions.length - positives
  const high = (positives + 1) / (positives + 2)
  const low = 1 / (negatives + 2)
  const targets = decisions.map((_, i) => (positive(i) ? high : low))
  let slope = 0
  let shift = Math.log((negatives + 1) / (positives + 1))
  let loss = crossEntropy(decisions, targets, slope, shift)
  for (let step = 0; step < steps; step++) {
    const { gradient, hessian } = derivatives(decisions, targets, slope, shift)
    const [gradientSlope, gradientShift] = gradient
    if (Math.abs(gradientSlope) < flat && Math.abs(gradientShift) < flat) break
    const [h11, h21, h22] = hessian
    const determinant = h11 * h22 - h21 * h21
    const moveSlope = -(h22 * gradientSlope - h21 * gradientShift) / determinant
    const moveShift = -(-h21 * gradientSlope + h11 * gradientShift) / determinant
    const descent = gradientSlope * moveSlope + gradientShift * moveShift
    let length = 1
    for (; length >= smallestStep; length /= 2) {
      const triedLoss = crossEntropy(decisions, targets, slope + length * moveSlope, shift + length * moveShift)
      if (triedLoss >= loss + 0.0001 * length * descent) continue
      slope += length * moveSlope
      shift += length * moveShift
      loss = triedLoss
      break
    }
    if (length < smallestStep) break
  }
  return { slope, shift }
}

export function sigmoidProbability(decision: number, { slope, shift }: Sigmoid): number {
  const exponent = decision * slope + shift
  return exponent >= 0 ? Math.exp(-exponent) / (1 + Math.exp(-exponent)) : 1 / (1 + Math.exp(exponent))
}

function crossEntropy(decisions: Float64Array, targets: Float64Array, slope: number, shift: number): number {
  let sum = 0
  for (const [i, decision] of decisions.entries()) {
    const exponent = decision * slope + shift
    const target = targets[i] ?? 0
    sum +=
      exponent >= 0
        ? target * exponent + Math.log(1 + Math.exp(-exponent))
        : (target - 1) * exponent + Math.log(1 + Math.exp(exponent))
  }
  return sum
}

function derivatives(decisions: Float64Array, targets: Float64Array, slope: number, shift: number) {
  let [h11, h22, h21, gradientSlope, gradientShift] = [ridge, ridge, 0, 0, 0]
  for (const [i, decision] of decisions.entries()) {
    const p = sigmoidProbability(decision, { slope, shift })
    const curvature = p * (1 - p)
    h11 += decision * decision * curvature
    h22 += curvature
    h21 += decision * curvature
    const error = (targets[i] ?? 0) - p
    gradientSlope += decision * error
    gradientShift += error
  }
  return { gradient: [gradientSlope, gradientShift] as const, hessian: [h11, h21, h22] as const }
}
