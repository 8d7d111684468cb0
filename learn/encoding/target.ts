import { Refusal } from '../../base/refusal.ts'
import type { Target } from '../dataset.ts'
import type { Cell } from '../formats/row.ts'
import type { Kind } from '../layout.ts'
import { createNumbers } from './growing-list.ts'
import { noNumber, toNumber } from './number.ts'

/** More different values than this are no classes. */
const maxClasses = 1000

export type Task = Target['kind']

/** Without a declared type, words and whole numbers are classes, and numbers with fractions are numbers. */
export function decideTask(cells: readonly Cell[]): 'classes' | 'numbers' {
  return cells.some((cell) => !Number.isInteger(toNumber(cell) ?? 0)) ? 'numbers' : 'classes'
}

/** Why a number is no label, if it is none. */
export function noClass(number: number, cell: Cell, isWhole: boolean): string | undefined {
  if (Number.isSafeInteger(number)) return undefined
  const shown = `'${String(cell).slice(0, 40)}'`
  if (Number.isInteger(number))
    return `${shown} is beyond 2^53, where numbers run together: declare the target a STRING`
  return isWhole ? `${shown} is no whole number; a target of numbers is a DOUBLE` : undefined
}

/**
 * `add` returns what is wrong with a cell that is no target. The caller drops missing ones. `isWhole`: the target was
 * declared to hold whole numbers.
 */
export function createTargetColumn(task: Task, kind: Kind, isWhole = false) {
  const indices = new Map<number | string, number>()
  const values = createNumbers()

  const addClass = (label: number | string): string | undefined => {
    const index = indices.get(label) ?? indices.size
    if (index === indices.size) {
      if (indices.size === maxClasses) {
        throw new Refusal(
          `the target has more than ${maxClasses} different values; if it is a number, its type is DOUBLE`,
        )
      }
      indices.set(label, index)
    }
    values.push(index)
    return undefined
  }

  return {
    add: (cell: Cell): string | undefined => {
      if (task === 'none') return undefined
      if (kind === 'word' && task === 'classes') return addClass(String(cell))
      const number = toNumber(cell)
      if (number === undefined) return noNumber(cell)
      if (task === 'classes') return noClass(number, cell, isWhole) ?? addClass(number)
      values.push(number)
      return undefined
    },
    finish: (): Target => {
      if (task === 'none') return { kind: 'none' }
      if (task === 'numbers') return { kind: 'numbers', values: values.values().slice() }
      return { kind: 'classes', labels: [...indices.keys()], classes: Int32Array.from(values.values()) }
    },
  }
}
