import { createGraph, single } from '../../../../learn/onnx/graph.ts'
import type { ElementType } from '../../../../learn/onnx/types.ts'
import { concat, type Encoded, integer, join, message, raw, text } from '../../../../learn/onnx/wire.ts'

/** A model that adds up each row's cells: `[N, width]` of `type` to a number a row. */
export function sumModel(type: 'float' | 'double' = 'double', width: number | string = 2): Uint8Array {
  const graph = createGraph()
  const x = graph.input('x', type, ['N', width])
  const sum = graph.node('ReduceSum', [x, graph.constant(BigInt64Array.of(1n), [1])], { keepdims: { int: 0 } })
  graph.output('sum', single(sum), type, ['N'])
  return graph.bytes()
}

/** A model whose only node is `op`, for what a check must refuse. */
export function oneNode(
  op: string,
  type: ElementType,
  input: readonly (number | string)[],
  outputType: ElementType,
): Uint8Array {
  const graph = createGraph()
  const x = graph.input('x', type, input)
  graph.output('y', single(graph.node(op, [x])), outputType, ['a', 'b'])
  return graph.bytes()
}

const value = (field: number, name: string, type: number, dims: readonly (number | string)[]) => {
  const shape = message(
    2,
    dims.map((dim) => message(1, [typeof dim === 'string' ? text(2, dim) : integer(1, dim)])),
  )
  return message(field, [text(1, name), message(2, [message(1, [integer(1, type), shape])])])
}

const identity = (from: string, to: string) => message(1, [text(1, from), text(2, to), text(4, 'Identity')])
const [DOUBLE, INT64, BOOL] = [11, 7, 9]

const modelOf = (graph: readonly Encoded[]): Uint8Array =>
  join(concat([integer(1, 8), message(7, [...graph, text(2, 'g')]), message(8, [text(1, ''), integer(2, 17)])]))

/** A model that loops for ever. */
export function endlessModel(): Uint8Array {
  const body = [
    identity('going', 'on'),
    identity('x_in', 'x_out'),
    text(2, 'body'),
    value(11, 'turn', INT64, []),
    value(11, 'going', BOOL, []),
    value(11, 'x_in', DOUBLE, [3, 2]),
    value(12, 'on', BOOL, []),
    value(12, 'x_out', DOUBLE, [3, 2]),
  ]
  const loop = [text(1, ''), text(1, 'yes'), text(1, 'x'), text(2, 'y'), text(4, 'Loop')]
  return modelOf([
    message(1, [...loop, message(5, [text(1, 'body'), message(6, body), integer(20, 5)])]),
    message(5, [integer(2, BOOL), message(9, [raw(Uint8Array.of(1))]), text(8, 'yes')]),
    value(11, 'x', DOUBLE, [3, 2]),
    value(12, 'y', DOUBLE, [3, 2]),
  ])
}

/**
 * A model that adds up its cells, and turns round as often as the greatest of them says; or for ever where that is `only`,
 * and else not at all.
 */
export function loopModel(only?: number): Uint8Array {
  const body = [
    identity('going', 'on'),
    identity('x_in', 'x_out'),
    text(2, 'body'),
    value(11, 'turn', INT64, []),
    value(11, 'going', BOOL, []),
    value(11, 'x_in', DOUBLE, ['N', 2]),
    value(12, 'on', BOOL, []),
    value(12, 'x_out', DOUBLE, ['N', 2]),
  ]
  const node = (op: string, inputs: readonly string[], output: string, attributes: readonly Encoded[] = []) =>
    message(1, [...inputs.map((name) => text(1, name)), text(2, output), text(4, op), ...attributes])
  const named = (name: string, kind: number, content: readonly Encoded[]) =>
    message(5, [text(1, name), ...content, integer(20, kind)])
  const int64 = (name: string, number: number) =>
    message(5, [
      integer(1, 1),
      integer(2, INT64),
      message(9, [raw(new Uint8Array(BigInt64Array.of(BigInt(number)).buffer))]),
      text(8, name),
    ])
  const cast = (from: string, to: string) => node('Cast', [from], to, [named('to', 2, [integer(3, INT64)])])
  const turns =
    only === undefined
      ? [cast('greatest', 'turns')]
      : [
          cast('greatest', 'whole'),
          node('Equal', ['whole', 'only'], 'is_only'),
          cast('is_only', 'hits'),
          node('Mul', ['hits', 'endless'], 'turns'),
          int64('only', only),
          int64('endless', 1e15),
        ]
  return modelOf([
    node('ReduceMax', ['x'], 'greatest', [named('keepdims', 2, [integer(3, 0)])]),
    ...turns,
    node('Loop', ['turns', 'yes', 'x'], 'z', [named('body', 5, [message(6, body)])]),
    node('ReduceSum', ['z', 'axis'], 'y', [named('keepdims', 2, [integer(3, 0)])]),
    message(5, [integer(2, BOOL), message(9, [raw(Uint8Array.of(1))]), text(8, 'yes')]),
    int64('axis', 1),
    value(11, 'x', DOUBLE, ['N', 2]),
    value(12, 'y', DOUBLE, ['N']),
  ])
}

/** A model whose weights stand in another file. */
export function modelInTwoFiles(file: string): Uint8Array {
  const elsewhere = message(13, [text(1, 'location'), text(2, file)])
  return modelOf([
    message(1, [text(1, 'x'), text(1, 'w'), text(2, 'y'), text(4, 'Mul')]),
    message(5, [integer(1, 2), integer(2, DOUBLE), text(8, 'w'), elsewhere, integer(14, 1)]),
    value(11, 'x', DOUBLE, [3, 2]),
    value(12, 'y', DOUBLE, [3, 2]),
  ])
}
