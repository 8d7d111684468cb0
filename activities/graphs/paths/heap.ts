/** A binary heap: `pop` gives the item that is before all others. */
export function createHeap<Item>(isBefore: (left: Item, right: Item) => boolean) {
  const items: Item[] = []

  const isUp = (child: number, parent: number): boolean => {
    const [a, b] = [items[child], items[parent]]
    return a !== undefined && b !== undefined && isBefore(a, b)
  }
  const swap = (one: number, other: number): void => {
    const [a, b] = [items[one], items[other]]
    if (a === undefined || b === undefined) return
    items[one] = b
    items[other] = a
  }

  return {
    push(item: Item): void {
      items.push(item)
      for (let at = items.length - 1; at > 0; ) {
        const parent = (at - 1) >> 1
        if (!isUp(at, parent)) break
        swap(at, parent)
        at = parent
      }
    },
    pop(): Item | undefined {
      const [first] = items
      const last = items.pop()
      if (items.length === 0 || last === undefined) return first
      items[0] = last
      for (let at = 0; ; ) {
        const [left, right] = [2 * at + 1, 2 * at + 2]
        const child = isUp(right, left) ? right : left
        if (!isUp(child, at)) break
        swap(child, at)
        at = child
      }
      return first
    },
    /** The next one first, then roughly as they come. */
    items: (): Iterable<Item> => items.values(),
    first: (): Item | undefined => items[0],
  }
}
