/** The problem of a name that a client chose, as the end of a sentence; undefined where nothing is. */

import { quoted } from '../../../base/quoted.ts'

/** For schemas, streams, tables, models and graphs: letters, digits, underscore, under 64 bytes. */
export const checkName = (name: string): string | undefined => {
  if (name === '') return 'must not be empty'
  if (!/^\w+$/.test(name)) return `${quoted(name)} must be letters, digits and underscore`
  if (/^\d/.test(name)) return `${quoted(name)} must not start with a digit`
  if (name.length > 63) return `${quoted(name)} must be shorter than 64 bytes`
  return undefined
}

/** For attributes: the field of an OBJECT has a dotted name, such as `prod.name`. */
export const checkAttributeName = (name: string): string | undefined => {
  if (!/^[\w.]*$/.test(name)) return `${quoted(name)} must be letters, digits and underscore`
  if (name.length > 63) return `${quoted(name)} must be shorter than 64 bytes`
  const parts = name.split('.')
  if (parts.length > 1 && parts.includes('')) return `${quoted(name)} has an empty part beside a dot`
  const problem = parts.map(checkName).find((found) => found !== undefined)
  if (problem !== undefined) return problem
  if (name === 'null') return `${quoted(name)} is reserved: ClickHouse has another use for it`
  if (name.startsWith('_') && name !== '_pk' && name !== '_id') {
    return `${quoted(name)} must not start with an underscore: _pk and _id only, the rest is the service's`
  }
  return undefined
}

const reserved = new Set([
  'system',
  'information_schema',
  'default',
  'weir',
  'weir_records',
  'graph',
  '_temporary_and_external_tables',
])

/** The words that ClickHouse reads as a keyword after INSERT INTO, where chDB lets no name be quoted. */
const keywords = new Set(['table', 'function'])

/** A schema is a database, and some are taken. */
export const checkSchemaName = (name: string): string | undefined =>
  checkName(name) ??
  (keywords.has(name.toLowerCase()) ? `${quoted(name)} is a keyword of ClickHouse, take another` : undefined) ??
  (reserved.has(name.toLowerCase()) || /^weir_(rebuild|reconcile|erase|kept)_/i.test(name)
    ? `${quoted(name)} is reserved for a database of the service`
    : undefined)

/** A stream shares its database with the tables and views of names.ts. */
export const checkStreamName = (name: string): string | undefined => {
  const problem = checkName(name)
  if (problem !== undefined) return problem
  if (name.includes('__'))
    return `${quoted(name)} must not contain '__': tables that the service derives have such names`
  if (/_by_\d+s(_states)?$/.test(name)) {
    return `${quoted(name)} must not end like '_by_60s' or '_by_60s_states': views that the service derives have such names`
  }
  return undefined
}

/** For node labels and relations, which graph queries write as `(label:value)-[relation]->`. */
export const checkLabel = (label: string): string | undefined => {
  if (label === '') return 'must not be empty'
  if (label.length > 63) return `${quoted(label)} must be shorter than 64 characters`
  if (/[()[\]:*<>=\p{Cc}]/u.test(label)) return `${quoted(label)} must not contain ( ) [ ] : * < > =`
  return undefined
}
