/** Element types of ONNX values that Weir's graphs use. */
export type ElementType = 'float' | 'double' | 'int32' | 'int64' | 'string' | 'bool'

/** A named dimension (`'N'`) is known only at a run. */
export type Dimensions = readonly (number | string)[]

export type TensorData = Float64Array | Float32Array | BigInt64Array | Int32Array | readonly string[]

/** ONNX attributes are typed, and JavaScript's numbers are not: the kind is written beside the value. */
export type Attribute =
  | { readonly int: number }
  | { readonly float: number }
  | { readonly text: string }
  | { readonly ints: readonly number[] }
  | { readonly floats: readonly number[] }
  | { readonly texts: readonly string[] }
  | { readonly tensor: { readonly data: TensorData; readonly dims: readonly number[] } }

/** A value that flows through the graph: the output of a node, an input or a constant. */
export type Value = { readonly name: string }

export type NodeOptions = { readonly domain?: '' | 'ai.onnx.ml' | 'com.microsoft'; readonly outputs?: number }

export type Graph = {
  readonly input: (name: string, elementType: ElementType, dims: Dimensions) => Value
  readonly constant: (data: TensorData, dims: readonly number[]) => Value
  readonly node: (
    opType: string,
    inputs: readonly Value[],
    attributes?: Readonly<Record<string, Attribute>>,
    options?: NodeOptions,
  ) => readonly Value[]
  readonly output: (name: string, value: Value, elementType: ElementType, dims: Dimensions) => void
  readonly metadata: (key: string, value: string) => void
  /** A serialized ModelProto: IR 8, opset 17, ai.onnx.ml 3. */
  readonly bytes: () => Uint8Array
}

/** The outputs that an algorithm adds to a graph; `label` is int64 or string `[N]` for classes, double `[N]` for numbers. */
export type Outputs = { readonly label: Value; readonly score?: Value; readonly probabilities?: Value }
