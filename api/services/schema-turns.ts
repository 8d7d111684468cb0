/** Runs changes of schemas one at a time, in the order in which they came. */
export function createTurns() {
  let turn: Promise<unknown> = Promise.resolve()
  return <Result>(work: () => Promise<Result>): Promise<Result> => {
    const mine = turn.then(work)
    turn = mine.catch(() => {})
    return mine
  }
}

export type InTurn = ReturnType<typeof createTurns>
