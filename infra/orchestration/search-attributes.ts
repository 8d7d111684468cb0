import type { Marks } from './workflow.ts'

/** By these people find runs in Temporal's UI and lists: `WeirSchema = "air" AND WeirState = 25`. */
export const searchKeys = {
  schema: { name: 'WeirSchema', type: 'KEYWORD' },
  model: { name: 'WeirModel', type: 'KEYWORD' },
  state: { name: 'WeirState', type: 'INT' },
} as const

export const searchPairs = ({ schema, model, state }: Marks) => [
  ...(schema === undefined ? [] : [{ key: searchKeys.schema, value: schema }]),
  ...(model === undefined ? [] : [{ key: searchKeys.model, value: model }]),
  ...(state === undefined ? [] : [{ key: searchKeys.state, value: state }]),
]
