import type { components } from './api.js'
import type { Wait } from './requests.ts'

export type Wire = components['schemas']
/** A row of an answer: its values by their names. */
export type Row = Record<string, unknown>
export type Answer = Record<string, unknown>
export type Values = Readonly<Record<string, unknown>>

export type DefineOptions = Wait & {
  /** Says what would be, and changes nothing. */
  readonly dry?: boolean
  /** Members that Weir does not know are refused. */
  readonly strict?: boolean
  /** The change may lose data. */
  readonly force?: boolean
}

export const flag = (is: boolean | undefined): 1 | undefined => (is ? 1 : undefined)
export const flagsOf = ({ dry, strict, force }: DefineOptions) => ({
  dry: flag(dry),
  strict: flag(strict),
  force: flag(force),
})
