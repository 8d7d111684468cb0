import type { Row } from '../../src/index.ts'
import { isSame } from './same.ts'
import type { Values } from './yaml.ts'

/** A template of which nothing is said but its number: a registration replaces all members. */
export const usual: Values = {
  name: '',
  rule: '',
  subject: '',
  msg: '',
  freq: 0,
  pri: 1,
  mailto: [],
  endpoints: [],
  tags: [],
  mailfrom: '',
}

/** The definition of a template that the service shows; secrets it shows none. */
export function shownTemplate({ state: _state, endpoints_off: _off, ...template }: Row): Values {
  return template
}

/** Whether registering the file's template would leave the one that is there as it is; false where the file has a secret, since the service shows none. */
export const isSameTemplate = (there: Row, wanted: Row): boolean =>
  isSame(wholeOf(shownTemplate(there)), wholeOf(shownTemplate(wanted)))

/** With all members, in the forms in which they are kept. */
const wholeOf = (template: Values): Values =>
  Object.fromEntries(
    Object.entries({ ...usual, ...template }).map(([member, value]) => {
      if (Array.isArray(usual[member])) return [member, value ?? []]
      const isNumber = member === 'notifid' || typeof usual[member] === 'number'
      return [member, isNumber && typeof value === 'string' && /^\s*\d{1,15}\s*$/.test(value) ? Number(value) : value]
    }),
  )
