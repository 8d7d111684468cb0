/** The statements that were asked in this browser, the latest first. */
import { stored } from '../../state/local-storage.ts'
import { type Asked, isHistory, remembered } from './asked.ts'

const none: readonly Asked[] = []

export const history = stored<readonly Asked[]>('queries', none, isHistory)

export const forgetHistory = (): void => {
  history.value = none
}

export function remember(asked: Asked): void {
  history.value = remembered(history.value, asked)
}
