import { eachLine, linesAnswer, lineText } from '../../base/each-line.ts'
import { isObject } from '../../base/json.ts'
import { parseAlone } from '../../base/several-objects.ts'
import { type DecodedDocument, decodeDocument } from '../../sql/table/document.ts'
import type { Table } from '../../sql/table/table.ts'
import type { OpenTable } from './open-tables.ts'
import { checkedCreation, recordMembers, recordOf } from './records.ts'

/** Records on their way to the writer at a time: two of its commits. */
const maxUnderWay = 8_192

/**
 * Inserts or replaces a record a line: `{_pk, doc}` with or without `_v`, or the document itself. Good lines are kept, in their order; resolves
 * once they are on disk.
 */
export async function loadRecords(opened: OpenTable, body: Buffer): Promise<ReturnType<typeof linesAnswer>> {
  let underWay: Promise<unknown>[] = []
  let accepted = 0
  const bad = await eachLine(body, async ({ start, end }) => {
    const { key, document } = recordIn(opened.table, lineText(body, start, end))
    const { writer } = opened
    const written =
      key === undefined
        ? writer.create(checkedCreation(opened.table, document))
        : writer.write({ kind: 'put', key, document })
    written.catch(() => {}) // its failure is thrown below
    accepted++
    if (underWay.push(written) < maxUnderWay) return
    const some = underWay
    underWay = []
    await Promise.all(some)
  })
  await Promise.all(underWay)
  return linesAnswer(accepted, bad)
}

/** A line with `doc`, and nothing but a key and a version beside it, is a record; another one is a document. */
function recordIn(table: Table, line: string): DecodedDocument {
  const wire = parseAlone(line, 'the line')
  const isRecord =
    isObject(wire) && Object.hasOwn(wire, 'doc') && Object.keys(wire).every((name) => recordMembers.includes(name))
  return isRecord || table.kind !== 'WIDE' ? recordOf(table, line) : decodeDocument(table, { kind: 'json', text: line })
}
