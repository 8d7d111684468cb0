export function swap(values: Float64Array | Float32Array | Int32Array | Uint8Array, i: number, j: number): void {
  const value = values[i] ?? 0
  values[i] = values[j] ?? 0
  values[j] = value
}
