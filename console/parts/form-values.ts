/** The values of a form that is made from attributes. */

export type FormAttribute = { readonly name: string; readonly kind: 'number' | 'word' }

/** The text of each field, by attribute; an empty one stands for a missing value. */
export type Typed = Readonly<Record<string, string>>

/** The texts of a form that is filled in with an example. */
export function typedFrom(attributes: readonly FormAttribute[], example: Readonly<Record<string, unknown>>): Typed {
  return Object.fromEntries(
    attributes.map(({ name }) => {
      const value = example[name]
      return [name, value === undefined || value === null ? '' : String(value)]
    }),
  )
}

/** Why a text is no value of an attribute. */
export function faultOf({ kind }: FormAttribute, text: string): string | undefined {
  if (kind === 'word' || text.trim() === '') return undefined
  return isNumber(text) || isDate(text) ? undefined : 'a number, or nothing where it is unknown'
}

const isNumber = (text: string): boolean => /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text.trim())
const isDate = (text: string): boolean => /^\d{4}-\d\d-\d\d/.test(text.trim())

/** A line of JSON as the service takes it: numbers as they were typed, missing values as null. */
export function lineOf(attributes: readonly FormAttribute[], typed: Typed): string {
  const members = attributes.map(({ name, kind }) => {
    const text = (typed[name] ?? '').trim()
    if (text === '') return `${JSON.stringify(name)}:null`
    const value =
      kind === 'number' && /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text)
        ? text
        : JSON.stringify(valueOf(kind, text))
    return `${JSON.stringify(name)}:${value}`
  })
  return `{${members.join(',')}}`
}

const valueOf = (kind: FormAttribute['kind'], text: string): string | number =>
  kind === 'number' && isNumber(text) ? Number(text) : text
