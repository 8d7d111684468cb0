type Members = Readonly<Record<string, unknown>>

export type Difference = { readonly name: string; readonly before: string; readonly after: string }

const textOf = (value: unknown): string =>
  value === undefined ? '–' : typeof value === 'string' ? value : JSON.stringify(value)

/** The members in which two objects differ, in the order of their names. */
export function differing(before: Members, after: Members): Difference[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
  return names
    .map((name) => ({ name, before: textOf(before[name]), after: textOf(after[name]) }))
    .filter((each) => each.before !== each.after)
}
