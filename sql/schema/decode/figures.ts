import type { AttributeType, Statistics } from '../schema.ts'
import { membersOf, typeOfMember } from '../statistics.ts'
import { windowResult } from '../windows.ts'
import type { Draft } from './draft.ts'
import type { ReadEntity } from './entities.ts'

/** A result of an entity: statistics over an attribute of the stream. */
export type Figure = { readonly draft: Draft; readonly input: string; readonly statistics: Statistics }
/** The results of entity streams, by stream and name; those over a window as `sales.1h`. */
export type Figures = ReadonlyMap<string, ReadonlyMap<string, Figure>>

/** The members of a value object that a reference may take. */
export const figureMembers = (statistics: Statistics): string[] =>
  Object.keys(membersOf({ result: 'value', input: { name: 'value', type: 'DOUBLE' }, statistics }))

export function figuresOf(sent: Iterable<readonly [Draft, readonly ReadEntity[]]>): Figures {
  const figures = new Map<string, Map<string, Figure>>()
  for (const [draft, entities] of sent) {
    for (const { statistics, windows, results = [], inputs = [], target = '' } of entities) {
      const ofStream = figures.get(target) ?? new Map<string, Figure>()
      figures.set(target, ofStream)
      for (const [index, result] of results.entries()) {
        const input = inputs[index]
        if (statistics === undefined || input === undefined) continue
        for (const name of [result, ...windows.map((length) => windowResult(result, length))])
          ofStream.set(name, { draft, input, statistics })
      }
    }
  }
  return figures
}

/** A path such as `sales.avg` or `sales.1h.avg` in its two parts. */
export function splitPath(path: string): readonly [result: string, member: string] {
  const dot = path.lastIndexOf('.')
  return dot === -1 ? [path, ''] : [path.slice(0, dot), path.slice(dot + 1)]
}

/** Undefined where there is no such figure, or the type of its attribute is not known yet. */
export function typeOfFigure(figures: Figures, stream: string, path: string): AttributeType | undefined {
  const [result, member] = splitPath(path)
  const figure = figures.get(stream)?.get(result)
  if (figure === undefined || !figureMembers(figure.statistics).includes(member)) return undefined
  const input = figure.input === '_pk' ? 'LONG' : figure.draft.attributes.get(figure.input)?.type
  return input && typeOfMember(member, input)
}
