import type { Connection } from '@temporalio/client'
import { searchKeys } from './search-attributes.ts'

type OperatorService = Pick<Connection['operatorService'], 'listSearchAttributes' | 'addSearchAttributes'>

/** Temporal's numbers for the types. */
const typeNumbers = { KEYWORD: 2, INT: 3 } as const

/** Adds to the namespace what runs are marked with and it does not know. It may take the server some seconds to take them. */
export async function registerSearch(operator: OperatorService, namespace: string): Promise<void> {
  const { customAttributes } = await operator.listSearchAttributes({ namespace })
  const missing = Object.values(searchKeys).filter(({ name }) => customAttributes?.[name] === undefined)
  if (missing.length === 0) return
  const searchAttributes = Object.fromEntries(missing.map(({ name, type }) => [name, typeNumbers[type]]))
  await operator.addSearchAttributes({ namespace, searchAttributes })
}
