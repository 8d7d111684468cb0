import { takeSettings } from './clauses.ts'
import { tokenize } from './lexer.ts'
import { StatementRefusal } from './refusal.ts'

/** Weir's own setting: the answer has all that this process acknowledged before the statement. */
export const waitSetting = 'weir_wait'

/** Whether a value of the setting asks to wait. */
export function isWaiting(value: string): boolean {
  if (['1', 'true'].includes(value)) return true
  if (['0', 'false'].includes(value)) return false
  throw new StatementRefusal(36, 'BAD_ARGUMENTS', 'weir_wait: write 1 to wait for what was acknowledged before, or 0')
}

/** Whether a statement asks to wait in its SETTINGS; undefined where these have no such setting. */
export function waitIn(text: string): boolean | undefined {
  if (!text.includes(waitSetting)) return undefined
  const value = takeSettings(tokenize(text)).settings[waitSetting]
  return value === undefined ? undefined : isWaiting(value)
}
