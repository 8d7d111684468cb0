import { Refusal } from '../../../../base/refusal.ts'
import type { Classes, Room } from '../../../dataset.ts'
import { noNumber, toNumber } from '../../../encoding/number.ts'
import { brokenCell } from '../../../encoding/table.ts'
import { noClass } from '../../../encoding/target.ts'
import type { ReadOptions } from '../../../formats/format.ts'
import type { FormatName } from '../../../formats/index.ts'
import { readRows, type Source } from '../../../formats/read-rows.ts'
import { isBroken, placeOf, type Row } from '../../../formats/row.ts'
import type { Layout, TargetColumn } from '../../../layout.ts'
import { textBytes } from '../memory.ts'

export type LabelledTexts = { readonly texts: readonly string[]; readonly target: Classes }

export type TextSource = { readonly format: FormatName; readonly layout: Layout } & Pick<ReadOptions, 'header'>

/**
 * Training rows with a label and one text. Rows without either are left out and counted in the log; the first row that
 * cannot be read ends it with a `Refusal` that names its line.
 */
export async function readLabelledTexts(
  source: Source,
  { format, layout, header }: TextSource,
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
  let incomplete = 0
  let bytes = 0
  for await (const rows of readRows(source, format, layout, { purpose: 'training', target: true, header, note: log })) {
    for (const row of rows) {
      if (isBroken(row)) throw new Refusal(placeOf(row))
      const [text] = row.cells
      if (text === undefined || row.target === undefined) {
        incomplete += 1
        continue
      }
      const label = labelOf(row)
      const index = known.get(label) ?? known.size
      known.set(label, index)
      texts.push(String(text))
      bytes += textBytes(String(text))
      classes.push(index)
    }
    room(bytes)
  }
  if (incomplete > 0) log(`rows without a label or a text, left out: ${incomplete}`)
  if (texts.length === 0) throw new Refusal('no row holds a label and a text')
  return { texts, target: { kind: 'classes', labels: [...known.keys()], classes: Int32Array.from(classes) } }
}

/** A target of whole numbers, such as a LONG, has them for labels; of any other they are texts. */
function labelReader({ name, kind, task }: TargetColumn): (row: Row) => number | string {
  if (kind !== 'number' || (task !== 'classes' && task !== 'whole')) return ({ target }) => String(target)
  return (row) => {
    const number = toNumber(row.target)
    const reason = number === undefined ? noNumber(row.target) : noClass(number, row.target, true)
    if (number === undefined || reason !== undefined) throw brokenCell(row, name, row.places?.target, reason ?? '')
    return number
  }
}
