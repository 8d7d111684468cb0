/**
 * Ways of doing the same, each `rounds` times in turn, so that other work of the machine meets all of them. Each goes
 * once before, for warming up, and each turn begins with another one.
 */
export async function inTurn<Name extends string, Result>(
  rounds: number,
  ways: Readonly<Record<Name, () => Promise<Result>>>,
): Promise<Record<Name, Result[]>> {
  const names = Object.keys(ways) as Name[]
  for (const name of names) await ways[name]()
  return inTurnAtOnce(rounds, ways)
}

/** The same without warming up; each way is given the number of its round, from 0. */
export async function inTurnAtOnce<Name extends string, Result>(
  rounds: number,
  ways: Readonly<Record<Name, (round: number) => Promise<Result>>>,
): Promise<Record<Name, Result[]>> {
  const names = Object.keys(ways) as Name[]
  const found = Object.fromEntries(names.map((name) => [name, [] as Result[]])) as Record<Name, Result[]>
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < names.length; i++) {
      const name = names[(i + round) % names.length] as Name
      found[name].push(await ways[name](round))
    }
  }
  return found
}
