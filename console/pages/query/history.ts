/** The statements that were asked in this browser, the latest first. */
import { kept } from '../../state/kept.ts'
import { type Asked, isHistory, remembered } from './asked.ts'

const none: readonly Asked[] = []

export const history = kept<readonly Asked[]>('queries', none, isHistory)

export const forgetHistory = (): void => {
  history.value = none
}

export function remember(asked: Asked): void {
  history.value = remembered(history.value, asked)
}
