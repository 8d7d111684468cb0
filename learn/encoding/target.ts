import { Refusal } from '../../base/refusal.ts'
import type { Target } from '../dataset.ts'
import type { Cell } from '../formats/row.ts'
import type { Kind, Layout, TargetColumn } from '../layout.ts'
import { labelNotes } from './alike.ts'
import { createNumbers } from './growing-list.ts'
import { createJudge } from './judge.ts'
import { noNumber } from './number.ts'
import { createNumberReader, type NumberReader } from './number-reader.ts'

/** More different values than this are no classes. */
export const maxClasses = 1000

/** Whole numbers with more different values than this are numbers, unless classes are asked for. */
const maxWholeClasses = 20

/** Numbers that are not whole may be meant as classes where each value comes so often, on average. */
const timesEach = 5

export type Task = Target['kind']

/** `values`: numbers whose values decide, classes where they are whole and few. */
export type TargetTask = Task | 'values'

/** Why a number is no label, if it is none. */
export function noClass(number: number, cell: Cell, isWhole: boolean): string | undefined {
  if (Number.isSafeInteger(number)) return undefined
  const shown = `'${String(cell).slice(0, 40)}'`
  if (Number.isInteger(number))
    return `${shown} is beyond 2^53, where numbers run together: declare the target a STRING`
  return isWhole ? `${shown} is no whole number; a target of numbers is a DOUBLE` : undefined
}

export type TargetColumnOptions = {
  readonly task: TargetTask
  readonly kind: Kind
  /** The target was declared to hold whole numbers. */
  readonly isWhole?: boolean
  readonly read?: NumberReader
}

/** `add` returns what is wrong with a cell that is no target. The caller drops missing ones. */
export function createTargetColumn({
  task,
  kind,
  isWhole = false,
  read = createNumberReader({}),
}: TargetColumnOptions) {
  const indices = new Map<number | string, number>()
  const values = createNumbers()
  const seen = new Set<number>()
  let areWhole = true

  const addClass = (label: number | string): undefined => {
    const index = indices.get(label) ?? indices.size
    if (index === indices.size) {
      if (indices.size === maxClasses) {
        throw new Refusal(
          `the target has more than ${maxClasses} different values, too many for classes; type DOUBLE or task "regress" takes it as numbers`,
        )
      }
      indices.set(label, index)
    }
    values.push(index)
  }

  const addValue = (number: number, cell: Cell): string | undefined => {
    const wrong = isWhole ? noClass(number, cell, true) : undefined
    if (wrong !== undefined) return wrong
    areWhole &&= Number.isInteger(number)
    if (seen.size <= maxWholeClasses) seen.add(number)
    values.push(number)
    return undefined
  }

  const classesOf = (numbers: Float64Array): Target => {
    const places = new Map<number, number>()
    const classes = Int32Array.from(numbers, (number) => {
      const place = places.get(number) ?? places.size
      places.set(number, place)
      return place
    })
    return { kind: 'classes', labels: [...places.keys()], classes }
  }

  const areClasses = (): boolean =>
    areWhole && seen.size <= maxWholeClasses && [...seen].every(Number.isSafeInteger) && values.length() > 0

  return {
    add: (cell: Cell): string | undefined => {
      if (task === 'none') return undefined
      if (kind === 'word' && task === 'classes') return addClass(String(cell))
      const number = read(cell)
      if (number === undefined) return noNumber(cell)
      if (task === 'classes') return noClass(number, cell, isWhole) ?? addClass(number)
      if (task === 'values') return addValue(number, cell)
      values.push(number)
      return undefined
    },
    finish: (): Target => {
      if (task === 'none') return { kind: 'none' }
      if (task === 'classes')
        return { kind: 'classes', labels: [...indices.keys()], classes: Int32Array.from(values.values()) }
      if (task === 'values' && areClasses()) return classesOf(values.values())
      return { kind: 'numbers', values: values.values().slice() }
    },
    /** The labels so far, where the target has classes: the request says so, or its values are words. */
    labels: (): readonly (number | string)[] => [...indices.keys()],
    /** A sentence for the log where whole numbers might have been meant otherwise. */
    note: (): string | undefined => {
      if (task !== 'values' || values.length() === 0) return undefined
      if (!areWhole) {
        if (seen.size > maxWholeClasses || values.length() < timesEach * seen.size) return undefined
        return `numbers with ${seen.size} different values, of which not all are whole, taken as numbers; task "classify" takes them as classes`
      }
      if (areClasses())
        return `whole numbers with ${seen.size} different values, taken as classes; task "regress" takes them as numbers`
      return `whole numbers with more than ${maxWholeClasses} different values, taken as numbers; task "classify" takes them as classes`
    },
  }
}

/** The target of the rows: its kind, where that is open, and its task. */
export function startTarget(
  { target, missing }: Layout,
  first: readonly Cell[],
  { task, kind: known }: { readonly task?: Task | undefined; readonly kind?: Kind | undefined },
) {
  const read = createNumberReader({ missing, dates: target?.dates })
  // `true` and `false` are labels, unless numbers are asked for.
  const asNumber: NumberReader = (cell) => (isBoolean(cell) ? undefined : read(cell))
  const isOpen = target !== undefined && target.kind === undefined && task !== 'numbers' && task !== 'none'
  const judge = isOpen ? createTargetJudge(asNumber, task) : undefined
  const guess = () => {
    const guessing = createTargetJudge(asNumber, task)
    for (const cell of first) guessing.see(cell)
    return guessing.kind()
  }
  const kind: Kind = target?.kind ?? (isOpen ? (known ?? guess()) : ('number' as const))
  const taken = target === undefined ? undefined : kind
  const effective = taskOf(target, kind, task)
  const column = createTargetColumn({ task: effective, kind, isWhole: target?.task === 'whole', read })
  let isHinted = false
  return {
    taken,
    kind: (): Kind | undefined => judge?.kind() ?? taken,
    isMissing: (cell: Cell): boolean =>
      effective !== 'none' && (cell === undefined || (kind === 'number' && Number.isNaN(read(cell)))),
    see: (cell: Cell): void => judge?.see(cell),
    add: (cell: Cell): string | undefined => {
      const wrong = column.add(cell)
      if (wrong === undefined || !isOpen || isHinted) return wrong
      isHinted = true
      return `${wrong} (type STRING takes the target's cells as labels)`
    },
    finish: column.finish,
    layout: (): Pick<Layout, 'target'> | undefined => target && { target: { ...target, kind } },
    notes: (): readonly string[] => {
      const note = column.note()
      const labels = kind === 'word' && effective === 'classes' ? labelNotes(column.labels()) : []
      const found = [...(judge?.notes(column.finish) ?? []), ...(note === undefined ? [] : [note]), ...labels]
      return found.map((each) => `target '${target?.name ?? 'target'}': ${each}`)
    },
  }
}

/**
 * Judges an open target: as any column, but labels with zeros in front are texts, of which a number would lose the zeros.
 */
function createTargetJudge(read: NumberReader, task: Task | undefined) {
  const judge = createJudge(read)
  const spellings = new Map<number, string>()
  let areWhole = true
  let merged: readonly [string, string] | undefined
  const areLabels = (): boolean => task === 'classes' || (areWhole && spellings.size <= maxWholeClasses)
  const areTexts = (): boolean => judge.kind() === 'number' && judge.padded() !== undefined && areLabels()
  return {
    see: (cell: Cell): void => {
      const number = read(cell)
      if (judge.see(cell, number) !== 'number' || number === undefined) return
      areWhole &&= Number.isInteger(number)
      const spelling = String(cell).trim()
      const known = spellings.get(number)
      if (known !== undefined && known !== spelling) merged ??= [known, spelling]
      if (known === undefined && spellings.size <= maxWholeClasses) spellings.set(number, spelling)
    },
    kind: (): Kind => (areTexts() ? 'word' : judge.kind()),
    notes: (target: () => Target): readonly string[] => {
      if (areTexts())
        return [
          `labels have zeros in front, such as '${judge.padded()}', and stay as they are written; type LONG takes them as numbers`,
        ]
      if (judge.kind() === 'word') return judge.notes()
      if (merged === undefined || target().kind !== 'classes') return []
      return [`'${merged[0]}' and '${merged[1]}' are one label, as they are one number; type STRING keeps them apart`]
    },
  }
}

function taskOf(target: TargetColumn | undefined, kind: Kind, asked: Task | undefined): TargetTask {
  if (target === undefined) return 'none'
  if (asked !== undefined) return asked
  if (target.task === 'classes' || target.task === 'numbers') return target.task
  return kind === 'word' ? 'classes' : 'values'
}

const isBoolean = (cell: Cell): boolean => typeof cell === 'string' && /^\s*(?:true|false)\s*$/i.test(cell)
