import { pathOf } from '../../parts/paths.ts'

export const savedAddress = (name: string, tab?: string): string =>
  `${pathOf('saved', name)}${tab === undefined ? '' : `?tab=${tab}`}`

export type NewQuestion = {
  readonly sql: string
  readonly language: 'sql' | 'weir'
  readonly database?: string
  /** To be made an alert at once: what its form begins with. */
  readonly alert?: { readonly when?: string; readonly key?: readonly string[]; readonly every?: number }
}

/** The address of the form of a new question that begins with a text. */
export function newQuestionAddress({ sql, language, database, alert }: NewQuestion): string {
  const members = new URLSearchParams({ new: '1', sql, lang: language })
  if (database !== undefined) members.set('db', database)
  if (alert) {
    members.set('alert', '1')
    if (alert.when !== undefined) members.set('when', alert.when)
    if (alert.key && alert.key.length > 0) members.set('key', alert.key.join(','))
    if (alert.every !== undefined) members.set('every', String(alert.every))
  }
  return `/console/saved?${members}`
}
