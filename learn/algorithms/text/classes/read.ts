import { Refusal } from '../../../../base/refusal.ts'
import type { Classes, Room } from '../../../dataset.ts'
import { type BadRowsOptions, createBadRows } from '../../../encoding/bad-rows.ts'
import { noNumber, toNumber } from '../../../encoding/number.ts'
import { brokenCell } from '../../../encoding/table.ts'
import { noClass } from '../../../encoding/target.ts'
import type { ReadOptions } from '../../../formats/format.ts'
import type { FormatName } from '../../../formats/index.ts'
import type { Source } from '../../../formats/read-rows.ts'
import { isBroken, placeOf, type Row } from '../../../formats/row.ts'
import type { Holder } from '../../../holdout/holder.ts'
import { readMarkedRows } from '../../../holdout/marked-rows.ts'
import type { HoldoutRule } from '../../../holdout/rule.ts'
import type { Layout, TargetColumn } from '../../../layout.ts'
import { textBytes } from '../memory.ts'

export type LabelledTexts = { readonly texts: readonly string[]; readonly target: Classes }

export type TextSource = { readonly format: FormatName; readonly layout: Layout } & Pick<
  ReadOptions,
  'header' | 'doubt'
> &
  BadRowsOptions & {
    readonly rule?: HoldoutRule | undefined
    /** Hears of each text that is taken whether it is to be held out. */
    readonly holder?: Pick<Holder, 'wrong' | 'add'> | undefined
  }

/**
 * Training rows with a label and one text. Rows without either are left out and counted in the log. Throws a `Refusal`
 * that names the first bad rows where there are more than may be.
 */
export async function readLabelledTexts(
  source: Source,
  { format, layout, header, doubt, rule, holder, ...rules }: TextSource,
  log: (line: string) => void,
  room: Room = () => {},
): Promise<LabelledTexts> {
  if (layout.columns.length !== 1 || layout.target === undefined) {
    const count = layout.columns.length
    throw new Refusal(`text classes take the label at target_idx and one text; attr_list has ${count} beside the label`)
  }
  const labelOf = labelReader(layout.target)
  const texts: string[] = []
  const classes: number[] = []
  const known = new Map<number | string, number>()
  const bad = createBadRows(rules)
  const options = { purpose: 'training', target: true, header, note: log, doubt } as const
  let incomplete = 0
  let bytes = 0
  for await (const rows of readMarkedRows(source, format, layout, options, rule)) {
    for (const row of rows) {
      if (isBroken(row)) {
        bad.add(placeOf(row))
        continue
      }
      const [text] = row.cells
      if (text === undefined || row.target === undefined) {
        incomplete += 1
        continue
      }
      const label = labelOf(row)
      if (label instanceof Refusal) {
        bad.add(label.message)
        continue
      }
      const unplaced = holder?.wrong(row.mark)
      if (unplaced !== undefined) {
        bad.add(placeOf({ line: row.line, reason: unplaced }))
        continue
      }
      holder?.add(row.mark)
      const index = known.get(label) ?? known.size
      known.set(label, index)
      texts.push(String(text))
      bytes += textBytes(String(text))
      classes.push(index)
    }
    room(bytes)
  }
  const left = bad.finish(texts.length + incomplete)
  if (left !== undefined) log(left)
  if (incomplete > 0) log(`rows without a label or a text, left out: ${incomplete}`)
  if (texts.length === 0) throw new Refusal('no row holds a label and a text')
  return { texts, target: { kind: 'classes', labels: [...known.keys()], classes: Int32Array.from(classes) } }
}

/** A target of whole numbers, such as a LONG, has them for labels; of any other they are texts. */
function labelReader({ name, kind, task }: TargetColumn): (row: Row) => number | string | Refusal {
  if (kind !== 'number' || (task !== 'classes' && task !== 'whole')) return ({ target }) => String(target)
  return (row) => {
    const number = toNumber(row.target)
    const reason = number === undefined ? noNumber(row.target) : noClass(number, row.target, true)
    if (number === undefined || reason !== undefined) return brokenCell(row, name, row.places?.target, reason ?? '')
    return number
  }
}
