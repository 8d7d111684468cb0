import { strict as assert } from 'node:assert'

/** A long-lived thing's states, each with those that may follow. */
export type States<State extends string> = Readonly<Record<State, readonly State[]>>

/** Brings a thing into its next state; throws where the table has no such step, which is a fault of Weir. */
export function move<State extends string>(
  states: States<State>,
  thing: { state: State },
  state: State,
  name: string,
): void {
  if (!states[thing.state].includes(state)) assert.fail(`${name} is ${thing.state} and cannot become ${state}`)
  thing.state = state
}

/** Whether no state follows: the thing has come to its end. */
export const isOver = <State extends string>(states: States<State>, { state }: { readonly state: State }): boolean =>
  states[state].length === 0

/** As `move`, for work that goes on for a moment after its thing has come to its end: then it changes nothing. */
export function moveUnlessOver<State extends string>(
  states: States<State>,
  thing: { state: State },
  state: State,
  name: string,
): void {
  if (!isOver(states, thing)) move(states, thing, state, name)
}
