import { useEffect, useRef, useState } from 'preact/hooks'
import { callBlob, Refusal, Unreachable } from '../../api/client.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { formatBytes, formatCount } from '../../parts/format.ts'
import { Icon } from '../../parts/icon.tsx'
import { Progress } from '../../parts/progress.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { type FileFormat, fileFormats, fileOf, WriterMissing } from '../../parts/result/files.ts'
import { createRowTable } from '../../parts/result/rows.ts'
import { saveBlob } from '../../parts/save-file.ts'
import { askWeir, type Continuation } from './ask-weir.ts'
import { namesFormat } from './sql-rows.ts'
import type { Statement } from './use-run.ts'
import { formOf, objectsOf } from './weir-rows.ts'

/** More rows than these do not fit into a page's memory: analysts' SQL makes such files in the service. */
const maxRows = 1_000_000
const sqlFormats: Readonly<Record<FileFormat, string>> = {
  csv: 'CSVWithNames',
  ndjson: 'JSONEachRow',
  parquet: 'Parquet',
}

type DownloadDialogProps = { readonly statement: Statement; readonly onClose: () => void }

/** All rows of a statement as a file, however many of them the page shows. */
export function DownloadDialog({ statement, onClose }: DownloadDialogProps) {
  const [format, setFormat] = useState<FileFormat>()
  const [numRows, setNumRows] = useState(0)
  const [refusal, setRefusal] = useState<Refusal>()
  const [says, setSays] = useState('')
  const leaving = useRef(new AbortController())
  useEffect(() => () => leaving.current.abort(), [])
  const { language, text } = statement
  const hasOwnFormat = language === 'sql' && namesFormat(text)

  async function make(wanted: FileFormat): Promise<void> {
    const { signal } = leaving.current
    setFormat(wanted)
    setRefusal(undefined)
    setSays('')
    try {
      const file =
        language === 'sql'
          ? await sqlFile(statement, wanted, signal)
          : await weirFile(statement, wanted, setNumRows, signal)
      if (signal.aborted) return
      saveBlob(`${nameOf(text)}.${wanted}`, file.content)
      setSays(`${file.says}${formatBytes(file.content.size)} saved.`)
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof Refusal) setRefusal(error)
      else if (error instanceof WriterMissing) setRefusal(new Refusal(0, [error.message], undefined))
      else if (!(error instanceof Unreachable)) throw error
    } finally {
      if (!signal.aborted) setFormat(undefined)
    }
  }

  return (
    <Dialog title="Download" onClose={onClose}>
      <div class="stack">
        <p class="soft">
          {language === 'sql'
            ? 'The statement is asked once more, and the service writes its rows, all of them, into the file.'
            : `The statement is asked once more, page by page, and this browser writes all of its rows into the file, ${formatCount(maxRows)} at most.`}
        </p>
        <div class="row">
          {Object.entries(fileFormats).map(([name, { title }]) => (
            <button
              key={name}
              type="button"
              class="button"
              disabled={format !== undefined || hasOwnFormat}
              onClick={() => void make(name as FileFormat)} // a key of the formats
            >
              <Icon name="download" />
              {title}
            </button>
          ))}
        </div>
        {hasOwnFormat && <p class="soft">The statement names a format itself: take FORMAT away from its end first.</p>}
        {format && (
          <Progress
            label={`Making ${fileFormats[format].title}`}
            says={numRows > 0 ? `${formatCount(numRows)} rows` : ''}
          />
        )}
        <p role="status">{says}</p>
        <RefusalBox refusal={refusal} />
      </div>
    </Dialog>
  )
}

type MadeFile = { readonly content: Blob; readonly says: string }

async function sqlFile({ text }: Statement, format: FileFormat, signal: AbortSignal): Promise<MadeFile> {
  const content = await callBlob('POST /sql', { body: { sql: text, format: sqlFormats[format] }, signal })
  return { content, says: '' }
}

async function weirFile(
  statement: Statement,
  format: FileFormat,
  onRows: (numRows: number) => void,
  signal: AbortSignal,
): Promise<MadeFile> {
  const table = createRowTable()
  let next: Continuation | undefined
  do {
    const answer = await askWeir(statement, next, signal)
    if (answer.page) table.add(objectsOf(formOf(statement.text), answer.page.rows))
    else if (answer.retval !== undefined) table.add([{ count: answer.retval }])
    onRows(table.size())
    next = answer.next
  } while (next && table.size() < maxRows && !endsAtLimit(statement.text))
  const isCut = next !== undefined && table.size() >= maxRows
  return {
    content: await fileOf(format, table.now()),
    says: `${formatCount(table.size())} rows${isCut ? `, the first of more: narrow the statement for the rest` : ''}, `,
  }
}

/** A statement with a limit asks for so many rows, and no more. */
const endsAtLimit = (text: string): boolean => /\blimit\s+\d+/i.test(text)

const nameOf = (text: string): string => {
  const [, name = 'rows'] = /\bfrom\s+([\w.]+)/i.exec(text) ?? []
  return name.replaceAll('.', '-')
}
