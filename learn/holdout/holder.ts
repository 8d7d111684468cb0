import { Refusal } from '../../base/refusal.ts'
import type { Target } from '../dataset.ts'
import { createIntegers, createNumbers } from '../encoding/growing-list.ts'
import { noNumber } from '../encoding/number.ts'
import { createNumberReader } from '../encoding/number-reader.ts'
import type { Cell } from '../formats/row.ts'
import { createRandom } from '../random.ts'
import { cutShare, drawGroups, type Together } from '../tuning/strata.ts'
import type { HoldoutRule } from './rule.ts'

/** The rows held out, ascending, and sentences about them. */
export type Held = {
  readonly rows: Int32Array
  readonly notes: readonly string[]
  /** By row of all, where the rule is by group or by time: folds of a tuning are cut by it as well. */
  readonly together?: Together
}

/** Hears the mark of each row that is taken, in order, and chooses the rows to hold out once all are there. */
export type Holder = {
  /** Why a mark cannot be taken; undefined where it can. */
  readonly wrong: (mark: Cell) => string | undefined
  readonly add: (mark: Cell) => void
  /** Throws a `Refusal` where the marks part no rows from others. */
  readonly finish: (target: Target) => Held
}

export function createHolder(rule: HoldoutRule, missing?: readonly string[]): Holder {
  if (rule.by === 'chance') return byChance(rule.share)
  if (rule.by === 'file') return byFile()
  return rule.by === 'time' ? byTime(rule.attribute, rule.share, missing) : byGroup(rule.attribute, rule.share)
}

const count = (rows: number): string => `${rows.toLocaleString('en-US')} ${rows === 1 ? 'row' : 'rows'}`
const partOf = (some: number, rows: number): string => `${some.toLocaleString('en-US')} of ${count(rows)}`

function byChance(share: number): Holder {
  let rows = 0
  return {
    wrong: () => undefined,
    add: () => {
      rows += 1
    },
    finish: (target) => {
      const held = cutShare(target, rows, share, 1)
      return { rows: held, notes: [`${partOf(held.length, rows)}, by chance, are held out to measure the model`] }
    },
  }
}

/** A row is marked that comes from the file held out; these rows are the last. */
function byFile(): Holder {
  const held = createIntegers()
  let rows = 0
  return {
    wrong: () => undefined,
    add: (mark) => {
      if (mark !== undefined) held.push(rows)
      rows += 1
    },
    finish: () => {
      if (held.length() === 0) throw new Refusal('the file held out holds no row that can be taken')
      if (held.length() === rows) throw new Refusal('the training data hold no row beside the file held out')
      return {
        rows: held.values().slice(),
        notes: [`${count(held.length())} of the file held out are measured, and never learnt from`],
      }
    },
  }
}

/** The latest rows; of those of one time the later ones of the data. A row without a time is learnt from. */
function byTime(attribute: string, share: number, missing: readonly string[] | undefined): Holder {
  const read = createNumberReader({ missing, dates: true })
  const times = createNumbers()
  return {
    wrong: (mark) => {
      if (mark === undefined || read(mark) !== undefined) return undefined
      return `${noNumber(mark)} and no time of ISO 8601, which holdout goes by`
    },
    add: (mark) => times.push(mark === undefined ? Number.NaN : (read(mark) ?? Number.NaN)),
    finish: () => {
      const values = times.values()
      const known = Int32Array.from(values.keys()).filter((row) => !Number.isNaN(values[row]))
      if (known.length === 0) throw new Refusal(`no row has a value of '${attribute}', which holdout goes by`)
      known.sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0) || a - b)
      const wanted = Math.min(known.length, Math.max(1, Math.round(share * values.length)))
      const latest = known.subarray(known.length - wanted)
      const [first, last] = [values[known[0] ?? 0], values[known.at(-1) ?? 0]]
      if (first === last) throw new Refusal(`all rows have the same '${attribute}', so that none is the latest`)
      const without = values.length - known.length
      return {
        rows: latest.slice().sort(),
        together: { by: 'time', of: ranksOf(values) },
        notes: [
          `${partOf(latest.length, values.length)}, the latest by '${attribute}', are held out to measure the model`,
          ...(without === 0
            ? []
            : [`${count(without)} without a value of '${attribute}' are among the ones learnt from`]),
        ],
      }
    },
  }
}

/** The place of each row in the order of time; rows without one come first. */
function ranksOf(times: Float64Array): Int32Array {
  const timeOf = (row: number): number => {
    const time = times[row] ?? Number.NaN
    return Number.isNaN(time) ? -Infinity : time
  }
  const order = Int32Array.from(times.keys()).sort((a, b) =>
    timeOf(a) < timeOf(b) ? -1 : timeOf(a) > timeOf(b) ? 1 : a - b,
  )
  const ranks = new Int32Array(times.length)
  for (const [rank, row] of order.entries()) ranks[row] = rank
  return ranks
}

/** Groups that are told apart at most, and the characters of their names together: they are held in memory. */
export const maxGroups = 1_000_000
export const maxNames = 64 * 2 ** 20

/** Whole groups, drawn by chance until their rows are nearest to the share. Rows without a value are a group. */
function byGroup(attribute: string, share: number): Holder {
  const codes = new Map<string, number>()
  const groups = createIntegers()
  let characters = 0
  return {
    wrong: () => undefined,
    add: (mark) => {
      if (codes.size > maxGroups || characters > maxNames) return
      const name = mark === undefined ? '' : String(mark)
      const code = codes.get(name)
      groups.push(code ?? codes.size)
      if (code !== undefined) return
      codes.set(name, codes.size)
      characters += name.length
    },
    finish: () => {
      if (codes.size > maxGroups || characters > maxNames) {
        throw new Refusal(
          `'${attribute}', which holdout goes by, has too many different values: the limit is 1,000,000 of them, and 64 MiB of text`,
        )
      }
      const of = groups.values()
      const [only] = codes.keys()
      if (codes.size < 2) {
        throw new Refusal(
          only === '' || only === undefined
            ? `no row has a value of '${attribute}', which holdout goes by`
            : `all rows have the same '${attribute}', '${only.slice(0, 60)}', so that no group can be held out`,
        )
      }
      const chosen = drawGroups(of, share, createRandom(1))
      const rows = Int32Array.from(of.keys()).filter((row) => chosen.has(of[row] ?? -1))
      const without = codes.has('') ? [`rows without a value of '${attribute}' are one group`] : []
      return {
        rows,
        together: { by: 'group', of: of.slice() },
        notes: [
          `${partOf(rows.length, of.length)}, the ones of ${chosen.size.toLocaleString('en-US')} of ${codes.size.toLocaleString('en-US')} values of '${attribute}', are held out to measure the model`,
          ...without,
        ],
      }
    },
  }
}
