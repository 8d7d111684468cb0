/** Numbers that come one by one, in a typed array: JavaScript's heap, which ends a process that fills it, has none of them. */
function createGrowingList<Values extends Int32Array | Float64Array>(
  create: (length: number) => Values,
  begin: (values: Values, length: number) => Values,
) {
  let values = create(64)
  let length = 0
  return {
    push(value: number): void {
      if (length === values.length) {
        const larger = create(2 * length)
        larger.set(values)
        values = larger
      }
      values[length] = value
      length += 1
    },
    length: (): number => length,
    /** The values so far, not copied. */
    values: (): Values => begin(values, length),
  }
}

export const createIntegers = () =>
  createGrowingList(
    (length) => new Int32Array(length),
    (values, length) => values.subarray(0, length),
  )

export const createNumbers = () =>
  createGrowingList(
    (length) => new Float64Array(length),
    (values, length) => values.subarray(0, length),
  )
