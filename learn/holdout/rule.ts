import type { Column } from '../layout.ts'

/** How the rows are chosen that a model is measured on. */
export type HoldoutRule =
  | { readonly by: 'chance'; readonly share: number }
  /** `column` is the attribute where the model does not learn from it. */
  | {
      readonly by: 'time' | 'group'
      readonly attribute: string
      readonly share: number
      readonly column?: Column
    }
  /** The rows of a file of their own, which the model never learns from. */
  | { readonly by: 'file' }

export const usualShare = 0.2
