/** Texts that are sorted, or put into one list, at once: a few milliseconds. */
const atOnce = 4_096

/** Sorts many texts; `pause` is awaited after each short stretch. */
export async function sortedInSteps(
  texts: Iterable<string>,
  pause: () => Promise<unknown>,
): Promise<readonly string[]> {
  const all = [...texts]
  let lists: string[][] = []
  for (let at = 0; at < all.length; at += atOnce) {
    lists.push(all.slice(at, at + atOnce).sort())
    await pause()
  }
  while (lists.length > 1) {
    const merged: string[][] = []
    for (let at = 0; at < lists.length; at += 2) merged.push(await merge(lists[at] ?? [], lists[at + 1] ?? [], pause))
    lists = merged
  }
  return lists[0] ?? []
}

async function merge(one: readonly string[], other: readonly string[], pause: () => Promise<unknown>) {
  const all: string[] = []
  for (let i = 0, j = 0; i + j < one.length + other.length; ) {
    const [first, second] = [one[i], other[j]]
    const isFirst = second === undefined || (first !== undefined && first <= second)
    all.push(isFirst ? (first ?? '') : second)
    if (isFirst) i++
    else j++
    if (all.length % atOnce === 0) await pause()
  }
  return all
}
