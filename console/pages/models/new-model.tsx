import { useState } from 'preact/hooks'
import { may } from '../../api/session.ts'
import { Crumbs } from '../../parts/crumbs.tsx'
import { DropZone } from '../../parts/drop-zone.tsx'
import { Empty } from '../../parts/empty.tsx'
import { formatBytes } from '../../parts/format.ts'
import { Icon } from '../../parts/icon.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { useInAddress } from '../../state/address.ts'
import { FromFile } from './from-file.tsx'
import { FromStream } from './from-stream.tsx'
import { readSheet, type Sheet } from './sheet.ts'

const sources = [
  ['file', 'A CSV file'],
  ['stream', 'A stream of events'],
] as const

/** From data to a model: a file whose columns are recognised, or a stream. */
export function NewModel() {
  const [from, setFrom] = useInAddress('from', 'file')
  const [sheet, setSheet] = useState<Sheet>()
  const [fault, setFault] = useState<string>()
  const source = from === 'stream' ? 'stream' : 'file'

  async function read(file: File): Promise<void> {
    const found = await readSheet(file)
    const isGood = found.rows.length > 1 && (found.rows[0]?.length ?? 0) > 1
    setSheet(isGood ? found : undefined)
    setFault(isGood ? undefined : `${file.name} has no rows of cells: a CSV has a row a line, its cells between commas`)
  }

  return (
    <>
      <Crumbs steps={[['Models', '/console/models'], ['new']]} />
      <PageHead
        title="New model"
        says="Give the data, say what is to be predicted, and train. A fifth of the rows is held out to measure how good it is."
      />
      {may('train') && may('write') ? (
        <Tabs label="Where the data are" tabs={sources} chosen={source} onChoose={(name) => setFrom(name)}>
          <div class="tab-content stack">
            {source === 'stream' && <FromStream />}
            {source === 'file' && sheet === undefined && (
              <DropZone
                label="Choose a CSV file"
                hint="Comma, semicolon, tab or bar between cells; the names of the columns in the first row, or none"
                accept=".csv,.tsv,.txt,text/csv"
                onFiles={([file]) => file && void read(file)}
              />
            )}
            {source === 'file' && fault !== undefined && (
              <div class="notice bad" role="alert">
                <Icon name="warning" />
                <p>{fault}</p>
              </div>
            )}
            {source === 'file' && sheet !== undefined && (
              <>
                <div class="card file-card">
                  <Icon name="tables" />
                  <span class="grow">
                    <strong>{sheet.file.name}</strong>
                    <span class="small soft"> {formatBytes(sheet.file.size)}</span>
                  </span>
                  <button type="button" class="button small" onClick={() => setSheet(undefined)}>
                    Another file
                  </button>
                </div>
                <FromFile key={`${sheet.file.name}:${sheet.file.lastModified}`} sheet={sheet} />
              </>
            )}
          </div>
        </Tabs>
      ) : (
        <div class="card">
          <Empty title="This key may not train" icon="keys">
            <p>Training needs the scopes train and write.</p>
          </Empty>
        </div>
      )}
    </>
  )
}
