import type { AttributeType, StatisticKind } from '../schema.ts'
import type { Draft } from './draft.ts'
import type { ReadEntity } from './entities.ts'

/** A result of an entity: the statistic over an attribute of the stream. */
export type Figure = { readonly draft: Draft; readonly input: string; readonly statistic: StatisticKind }
/** The results of entity streams, by stream and name. */
export type Figures = ReadonlyMap<string, ReadonlyMap<string, Figure>>

type TypeOfInput = (input: AttributeType) => AttributeType
const long: TypeOfInput = () => 'LONG'
const double: TypeOfInput = () => 'DOUBLE'
const sameAsInput: TypeOfInput = (input) => input

/** The members of a statistic's value object, with their types. */
export const membersOf: Readonly<Record<StatisticKind, Readonly<Record<string, TypeOfInput>>>> = {
  COUNT: { cnt: long },
  UCOUNT: { cnt: long },
  RSTAT: {
    cnt: long,
    sum: double,
    min: sameAsInput,
    max: sameAsInput,
    avg: double,
    stdd: double,
    skew: double,
    kurt: double,
  },
}

export function figuresOf(sent: Iterable<readonly [Draft, readonly ReadEntity[]]>): Figures {
  const figures = new Map<string, Map<string, Figure>>()
  for (const [draft, entities] of sent) {
    for (const { statistic, results = [], inputs = [], target = '' } of entities) {
      const ofStream = figures.get(target) ?? new Map<string, Figure>()
      figures.set(target, ofStream)
      for (const [index, result] of results.entries()) {
        const input = inputs[index]
        if (statistic !== undefined && input !== undefined) ofStream.set(result, { draft, input, statistic })
      }
    }
  }
  return figures
}

/** A path such as `sales.avg` in its two parts. */
export function splitPath(path: string): readonly [result: string, member: string] {
  const dot = path.lastIndexOf('.')
  return dot === -1 ? [path, ''] : [path.slice(0, dot), path.slice(dot + 1)]
}

/** Undefined where there is no such figure, or the type of what it is of is not known yet. */
export function typeOfFigure(figures: Figures, stream: string, path: string): AttributeType | undefined {
  const [result, member] = splitPath(path)
  const figure = figures.get(stream)?.get(result)
  if (figure === undefined || !Object.hasOwn(membersOf[figure.statistic], member)) return undefined
  const input = figure.input === '_pk' ? 'LONG' : figure.draft.attributes.get(figure.input)?.type
  return input && membersOf[figure.statistic][member]?.(input)
}
