import { useState } from 'preact/hooks'
import { parseJson, printJson } from '../../api/json.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Code } from '../../parts/code.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Empty } from '../../parts/empty.tsx'
import { formatCount, formatDuration } from '../../parts/format.ts'
import { Pager } from '../../parts/pager.tsx'
import { queryPage } from '../../parts/query-page.ts'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { Table } from '../../parts/table.tsx'
import { timeText } from '../../parts/time-text.ts'
import { useChangeAddress, useInAddress } from '../../state/address.ts'
import { inZone, zoneName } from '../../state/time-zone.ts'
import { type Send, sendOf } from './template.ts'

/** The sends, newest first, each with the event that was matched last. */
export function Sends({ id }: { readonly id: number }) {
  const [at] = useInAddress('at')
  const change = useChangeAddress()
  const [opened, setOpened] = useState<Send>()
  const sql = `select * from notif where notifid = ${id} limit 50`
  const { value, refusal } = useAnswer(
    (signal) => queryPage({ database: 'mydb', sql, cursor: at, signal }),
    [sql, at],
    at === '' ? { every_ms: 5000 } : {},
  )
  const page = value
  const sends = (page?.rows ?? []).map(sendOf)
  const next = page?.next
  return (
    <section class="card">
      <RefusalBox refusal={refusal} />
      {!page && !refusal && <Skeleton lines={4} />}
      {page && sends.length === 0 && <Empty title="Nothing was sent yet" icon="notifications" />}
      {sends.length > 0 && (
        <Table
          label="Sends"
          heads={[inZone('Sent'), { number: 'Matches' }, { number: 'Within' }, 'Last event']}
          class="rows-table"
        >
          {sends.map((send) => (
            <tr key={send.id}>
              <td>
                <button type="button" class="link" onClick={() => setOpened(send)}>
                  {timeText(send.ts, 1)}
                </button>
              </td>
              <td class="number">{formatCount(send.count)}</td>
              <td class="number soft">{send.dur === 0 ? '–' : formatDuration(send.dur)}</td>
              <td class="mono event-cell">{printJson(send.event).slice(0, 200)}</td>
            </tr>
          ))}
        </Table>
      )}
      {page && (
        <Pager
          things="sends"
          isFirst={at === ''}
          onFirst={() => change({ at: undefined })}
          onNext={next === undefined ? undefined : () => change({ at: next }, 'push')}
        />
      )}
      {opened && (
        <Dialog title={`Sent ${timeText(opened.ts, 1)} ${zoneName()}`} onClose={() => setOpened(undefined)} isWide>
          <Code text={printJson(parseJson(opened.payload), 2)} />
        </Dialog>
      )}
    </section>
  )
}
