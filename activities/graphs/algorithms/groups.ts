/** Numbers groups from 0 by their size, the largest first, equal ones by their first node; `group[i]` is any name of node i's. */
export function numberGroups(group: ArrayLike<number>): { readonly numbers: Uint32Array; readonly count: number } {
  const sizes = new Map<number, number>()
  for (let node = 0; node < group.length; node++) {
    const name = group[node] ?? 0
    sizes.set(name, (sizes.get(name) ?? 0) + 1)
  }
  // A map keeps the order of first nodes, and the sort is stable.
  const order = new Map([...sizes].sort(([, one], [, other]) => other - one).map(([name], number) => [name, number]))
  return { numbers: Uint32Array.from(group, (name) => order.get(name) ?? 0), count: order.size }
}
