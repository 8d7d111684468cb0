import type { Rule } from './schema.ts'

type Outputs = Pick<Rule, 'target' | 'notification' | 'absent'>

const there = <Value>(values: readonly (Value | undefined)[]): Value[] => [
  ...new Set(values.flatMap((value) => (value === undefined ? [] : [value]))),
]

/** The streams into which a rule puts rows: those of events that met, and those of events that met none. */
export const targetsOfRule = ({ target, absent }: Outputs): string[] => there([target, absent?.target])

/** The notifications that a rule makes matches of. */
export const notificationsOfRule = ({ notification, absent }: Outputs): number[] =>
  there([notification, absent?.notification])
