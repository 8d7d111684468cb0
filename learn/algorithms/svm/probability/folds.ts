const folds = 5

/** Five parts of a shuffled order, each with the rest to train on, in order. */
export function heldOutParts(order: Int32Array): readonly { readonly part: Int32Array; readonly rest: Int32Array }[] {
  return Array.from({ length: folds }, (_, fold) => {
    const begin = Math.floor((fold * order.length) / folds)
    const end = Math.floor(((fold + 1) * order.length) / folds)
    const rest = new Int32Array(order.length - (end - begin))
    rest.set(order.subarray(0, begin))
    rest.set(order.subarray(end), begin)
    return { part: order.subarray(begin, end), rest }
  })
}
