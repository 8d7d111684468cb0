/**
 * A stream in words whose types check the events that are sent, and the names that are asked, where the program is
 * compiled. It is the same definition that `PUT /stream/S` takes.
 */
export type AttributeType = 'text' | 'integer' | 'number' | 'boolean' | 'json'

type AttributeForm =
  | AttributeType
  | {
      readonly type: AttributeType
      readonly required?: boolean
      readonly values?: readonly string[]
      readonly [more: string]: unknown
    }

export type StreamForm = {
  readonly attributes: Readonly<Record<string, AttributeForm>>
  /** An expression alone, or with what else there is to say; where no type is said, the service takes it from the expression. */
  readonly compute?: Readonly<
    Record<string, string | { readonly type?: AttributeType; readonly [more: string]: unknown }>
  >
  readonly [more: string]: unknown
}

export type SchemaForm = {
  readonly schema: string
  readonly streams: Readonly<Record<string, StreamForm>>
  readonly [more: string]: unknown
}

type ValueOf<Type> = Type extends 'text'
  ? string
  : Type extends 'integer'
    ? number | bigint
    : Type extends 'number'
      ? number
      : Type extends 'boolean'
        ? boolean
        : unknown

type ValueIn<Form> = Form extends { readonly values: readonly (infer Value)[] }
  ? Value
  : Form extends { readonly type: infer Type }
    ? ValueOf<Type>
    : ValueOf<Form>

type Required<Forms> = {
  [Name in keyof Forms]: Forms[Name] extends { readonly required: true } ? Name : never
}[keyof Forms]

/** An event as it may be sent. `_pk` is its time in microseconds, `_id` what makes a repeat of it known. */
export type EventOf<Form extends StreamForm> = {
  readonly [Name in Required<Form['attributes']>]: ValueIn<Form['attributes'][Name]>
} & {
  readonly [Name in Exclude<keyof Form['attributes'], Required<Form['attributes']>>]?: ValueIn<
    Form['attributes'][Name]
  > | null
} & { readonly _pk?: number | bigint | string; readonly _id?: string }

type ComputedOf<Form> = Form extends { readonly compute: infer Computed }
  ? { readonly [Name in keyof Computed]?: Computed[Name] extends string ? unknown : ValueIn<Computed[Name]> | null }
  : unknown

/** An event as it is asked: with its time, and what Weir computed. */
export type RowOf<Form extends StreamForm> = Omit<EventOf<Form>, '_pk' | '_id'> &
  ComputedOf<Form> & { readonly _pk: number | bigint; readonly _time: string; readonly _v: number }

/** The form of one stream of a definition. */
export type StreamOf<
  Form extends SchemaForm,
  Name extends keyof Form['streams'],
> = Form['streams'][Name] extends infer Stream extends StreamForm ? Stream : never

/** Keeps the definition's own types: `defineSchema({ schema: 'shop', streams: { orders: { attributes: { price: 'number' } } } })`. */
export const defineSchema = <const Form extends SchemaForm>(form: Form): Form => form
