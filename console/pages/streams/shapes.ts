/** JSON schemas of the service, as far as completion looks at them. */
import type { Path } from './json-places.ts'

export type Shape = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Shape[]
  readonly oneOf?: readonly Shape[]
  readonly allOf?: readonly Shape[]
  readonly items?: Shape
  readonly properties?: Readonly<Record<string, Shape>>
  readonly additionalProperties?: Shape | boolean
  readonly required?: readonly string[]
  readonly description?: string
  readonly examples?: readonly unknown[]
}

export type Shapes = Readonly<Record<string, Shape>>

const maxDepth = 8

/** All shapes that a shape may be. */
export function alternatives(shapes: Shapes, shape: Shape | boolean | undefined, depth = 0): readonly Shape[] {
  if (typeof shape !== 'object' || depth > maxDepth) return []
  if (shape.$ref !== undefined) return alternatives(shapes, shapes[shape.$ref.split('/').at(-1) ?? ''], depth + 1)
  const some = shape.anyOf ?? shape.oneOf ?? shape.allOf
  return some ? some.flatMap((each) => alternatives(shapes, each, depth + 1)) : [shape]
}

/** The shapes that a value at a path may have. */
export function shapesAt(shapes: Shapes, root: Shape | undefined, path: Path): readonly Shape[] {
  let present = alternatives(shapes, root)
  for (const part of path) {
    present = present.flatMap(({ items, properties = {}, additionalProperties }) =>
      alternatives(shapes, typeof part === 'number' ? items : (properties[part] ?? additionalProperties)),
    )
  }
  return present
}
