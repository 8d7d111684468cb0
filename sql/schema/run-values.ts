import type { Attribute, AttributeType } from './schema.ts'

const figures = ['sum', 'min', 'max', 'avg'] as const

/** A value of a whole run: how many events it has, an attribute of its first one, or a figure over an attribute of all. */
export type RunValue = {
  /** The name by which rows and conditions have it: `count`, `first.speed`, `avg.speed`. */
  readonly path: string
  readonly of: 'count' | 'first' | (typeof figures)[number]
  /** Empty for `count`. */
  readonly attribute: string
}

/** The value of a run that a path names, where no attribute has that name; undefined where it is none. */
export function runValueOf(path: string): RunValue | undefined {
  if (path === 'count') return { path, of: path, attribute: '' }
  const dot = path.indexOf('.')
  const of = (['first', ...figures] as const).find((each) => each === path.slice(0, dot))
  const attribute = path.slice(dot + 1)
  return dot < 0 || of === undefined || attribute === '' ? undefined : { path, of, attribute }
}

/** The type that a value of a run has, over an attribute of that type; undefined where there is no such figure. */
export function typeOfRunValue({ of }: RunValue, type: AttributeType | undefined): AttributeType | undefined {
  if (of === 'count') return 'LONG'
  if (of === 'first') return type
  if (type !== 'LONG' && type !== 'DOUBLE') return undefined
  return of === 'min' || of === 'max' ? type : 'DOUBLE'
}

/** A value of a run as an attribute of its row or match. */
export function attributeOfRun(value: RunValue, attributes: readonly (Attribute | undefined)[]): Attribute | undefined {
  const over = attributes.find((each) => each?.name === value.attribute)
  const type = typeOfRunValue(value, value.attribute === '_pk' ? 'LONG' : over?.type)
  return type && { name: value.path, type, granularity: 60, primaryKey: false }
}
