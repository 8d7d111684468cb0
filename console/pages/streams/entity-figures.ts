import { isObject } from './wire-schema.ts'

type Values = Readonly<Record<string, unknown>>

/** A figure of the rows of an entity: the way to it in a row's values, and what its column is called. */
export type EntityFigure = { readonly path: readonly string[]; readonly title: string }

/** Rows that are looked at for what there is. */
const looked = 200

/** The figures that rows have: those over all time, and behind them those over windows (`1h`). */
export function figuresIn(rows: readonly Values[]): readonly EntityFigure[] {
  const found = new Map<string, EntityFigure>()
  const within = (value: unknown, path: readonly string[]): void => {
    if (!isObject(value)) {
      found.set(path.join('.'), { path, title: path.join(' ') })
      return
    }
    const members = Object.entries(value)
    for (const [member, each] of members)
      if (member === 'cnt' && members.length === 1)
        found.set(path.join('.'), { path: [...path, member], title: path.join(' ') })
      else within(each, [...path, member])
  }
  for (const values of rows.slice(0, looked)) for (const [name, value] of Object.entries(values)) within(value, [name])
  return [...found.values()]
}

export const valueAt = (values: Values, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, member) => (isObject(value) ? value[member] : undefined), values)
