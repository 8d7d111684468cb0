import { attributeTypes } from '../../api/codes.ts'

/** The attributes of a stream that a model can learn from, as its schema declares them. */
export type StreamAttribute = {
  readonly name: string
  readonly type: string
  readonly kind: 'number' | 'word'
}

/** `schema` is the answer of `GET /stream/S/schema`. */
export function attributesIn(schema: unknown, stream: string): StreamAttribute[] {
  const declared = listIn(schema, 'streams').find((each) => Object(each).name === stream)
  return [...listIn(declared, 'attr'), ...listIn(declared, 'catr')].flatMap((each) => {
    const { name, type } = Object(each)
    const known = attributeTypes[String(type).toUpperCase()]
    if (typeof name !== 'string' || known === undefined || known === 'OBJECT') return []
    return [
      { name, type: known, kind: known === 'STRING' || known === 'BOOL' ? ('word' as const) : ('number' as const) },
    ]
  })
}

const listIn = (value: unknown, member: string): readonly unknown[] => {
  const list: unknown = Object(value)[member]
  return Array.isArray(list) ? list : []
}
