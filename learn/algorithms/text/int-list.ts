/** Integers that grow one by one, four bytes each. */
export function createIntList(capacity = 1024) {
  let values = new Int32Array(capacity)
  let length = 0
  return {
    push(value: number): void {
      if (length === values.length) {
        const larger = new Int32Array(2 * length)
        larger.set(values)
        values = larger
      }
      values[length] = value
      length += 1
    },
    length: () => length,
    /** A copy of the numbers so far. */
    values: (): Int32Array => values.slice(0, length),
  }
}

export type IntList = ReturnType<typeof createIntList>
