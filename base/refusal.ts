/**
 * A client's request cannot be taken: one entry a problem, each with the fault, its place, and a value that would be
 * right.
 */
export class Refusal extends Error {
  readonly problems: readonly string[]

  constructor(problems: string | readonly string[]) {
    const list = typeof problems === 'string' ? [problems] : problems
    super(list.join('; '))
    this.name = 'Refusal'
    this.problems = list
  }
}
