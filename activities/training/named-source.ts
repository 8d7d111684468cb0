import { Refusal } from '../../base/refusal.ts'
import type { Source } from '../../learn/formats/read-rows.ts'
import { UnfitFormat } from './refusals.ts'

/** A file of the training data, or the last of all, the one that is held out. */
export type NamedSource = { readonly name: string; readonly open: () => Source; readonly isHeld?: boolean }

export const isLearnt = ({ isHeld }: NamedSource): boolean => isHeld !== true

/** A fault names its file where there are several. */
export async function named(name: string, count: number, read: () => Promise<void>): Promise<void> {
  try {
    await read()
  } catch (error) {
    if (count === 1 || !(error instanceof Refusal) || error instanceof UnfitFormat) throw error
    throw new Refusal(`${name}: ${error.message}`)
  }
}
