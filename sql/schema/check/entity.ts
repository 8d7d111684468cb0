import { quoted } from '../../../base/quoted.ts'
import { type Draft, findAttribute } from '../decode/draft.ts'
import type { Part } from '../decode/part.ts'
import { readableColumns } from '../readable-columns.ts'
import type { Entity } from '../schema.ts'

/** A result takes columns of its own beside the keys. */
export const checkClash = (part: Part, { keys, results, statistic }: Entity) => {
  const names = new Set(keys.map(({ name }) => name))
  for (const [index, result] of results.entries()) {
    const clash = [result, ...readableColumns(result, statistic)].find((column) => names.has(column))
    if (clash !== undefined) part.fail(`ratr[${index}]`, `${quoted(result)} clashes with the key ${quoted(clash)}`)
  }
}

/** Where the target lists attributes, keys and results are among them, and its primary keys are the keys. */
export const checkListed = (target: Draft, part: Part, { keys, results }: Entity) => {
  if (target.attributes.size === 0) return
  for (const [index, result] of results.entries()) findAttribute(target, result, part, `ratr[${index}]`)
  for (const { name, type } of keys) {
    const listed = findAttribute(target, name, part, 'pkatr')
    if (listed && listed.type !== type) {
      part.fail('pkatr', `key ${quoted(name)} is ${type} here and ${listed.type} in ${target.name}`)
    }
  }
  const given = new Set(keys.map(({ name }) => name))
  for (const [name, attribute] of target.attributes) {
    if (attribute?.primaryKey && !given.has(name)) {
      part.fail('pkatr', `gives no ${quoted(name)}, a primary key of ${target.name}`)
    }
  }
}
