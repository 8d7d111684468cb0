/**
 * Class probabilities from pairwise ones, r[i * k + j] = P(i | i or j): minimises the sum over i, j of
 * (r[j][i] p[i] - r[i][j] p[j])^2 with p summing to 1 (Wu, Lin, Weng 2004, section 3.2).
 * LIBSVM iterates until 0.005 / k; the minimum is proportional to the solution of (Q + ee')p = e, a positive
 * definite system, which elimination gives exactly and which an ONNX graph can do in the same steps.
 */
export function coupleProbabilities(r: Float64Array, k: number): Float64Array {
  const system = couplingSystem(r, k)
  const width = k + 1
  for (let t = 0; t < k; t++) {
    const pivot = system[t * width + t] ?? 0
    for (let i = 0; i < k; i++) {
      if (i === t) continue
      const factor = (system[i * width + t] ?? 0) / pivot
      for (let j = 0; j < width; j++) {
        system[i * width + j] = (system[i * width + j] ?? 0) - factor * (system[t * width + j] ?? 0)
      }
    }
  }
  const p = Float64Array.from({ length: k }, (_, t) => (system[t * width + k] ?? 0) / (system[t * width + t] ?? 0))
  const sum = p.reduce((total, value) => total + value, 0)
  return p.map((value) => value / sum)
}

/** [Q + ee' | e], row-major `k x (k + 1)`. */
function couplingSystem(r: Float64Array, k: number): Float64Array {
  const width = k + 1
  const system = new Float64Array(k * width).fill(1)
  for (let i = 0; i < k; i++) {
    for (let j = 0; j < k; j++) {
      if (i === j) continue
      const back = r[j * k + i] ?? 0
      system[i * width + i] = (system[i * width + i] ?? 0) + back * back
      system[i * width + j] = 1 - back * (r[i * k + j] ?? 0)
    }
  }
  return system
}
