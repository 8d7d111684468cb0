import { call } from '../../api/client.ts'
import { may } from '../../api/session.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Empty } from '../../parts/empty.tsx'
import { formatCount, formatDuration } from '../../parts/format.ts'
import { Icon } from '../../parts/icon.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Pager } from '../../parts/pager.tsx'
import { queryPage } from '../../parts/query-page.ts'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { Table } from '../../parts/table.tsx'
import { useChangeAddress, useInAddress } from '../../state/address.ts'
import { templateOf } from './template.ts'
import { TemplateDialog } from './template-dialog.tsx'

export function NotificationList() {
  const [isNew, setNew] = useInAddress('new')
  const [at] = useInAddress('at')
  const change = useChangeAddress()
  const counts = useAnswer((signal) => call('GET /stream/list', { signal }), [], { every_ms: 5000 })
  const { value, refusal, again } = useAnswer(
    (signal) => queryPage({ database: 'mydb', sql: 'select * from reg_notif limit 100', cursor: at, signal }),
    [at],
  )
  const page = value
  const templates = (page?.rows ?? []).map(templateOf)
  const next = page?.next
  const button = may('define') && (
    <button type="button" class="button main" onClick={() => setNew('1')}>
      <Icon name="plus" />
      New notification
    </button>
  )
  return (
    <>
      <PageHead title="Notifications" says="Who is told by webhook or mail when events pass a filter.">
        {templates.length > 0 && button}
      </PageHead>
      <RefusalBox refusal={refusal} />
      {templates.length > 0 && counts.value && (
        <dl class="tiles notification-tiles">
          <div class="tile">
            <dt>Sent today</dt>
            <dd>{formatCount(counts.value.notif_count_day)}</dd>
          </div>
          <div class="tile">
            <dt>The day before</dt>
            <dd>{formatCount(counts.value.notif_count_prev_day)}</dd>
          </div>
          <div class="tile">
            <dt>In all</dt>
            <dd>{formatCount(counts.value.notif_count_total)}</dd>
          </div>
        </dl>
      )}
      <div class="card">
        {!page && !refusal && <Skeleton lines={4} />}
        {page && templates.length === 0 && (
          <Empty title="No notification yet" icon="notifications">
            <p>
              Register one here, then name its number as <code>notf</code> in a filter of a stream: each event that
              passes is told.
            </p>
            {button}
          </Empty>
        )}
        {templates.length > 0 && (
          <Table label="Notifications" heads={['Notification', 'State', 'Goes to', 'At most', { number: 'Priority' }]}>
            {templates.map(({ notifid, name, state, endpoints, mailto, freq, pri }) => (
              <tr key={notifid}>
                <td>
                  <a href={`/console/notifications/${notifid}`}>
                    <strong>{name === '' ? `notification ${notifid}` : name}</strong>
                  </a>
                  <div class="small faint">notf {notifid}</div>
                </td>
                <td>
                  <span class={state === 1 ? 'badge good' : 'badge warn'}>{state === 1 ? 'active' : 'paused'}</span>
                </td>
                <td class="small goes-to">
                  {[...endpoints, ...mailto].slice(0, 3).join(', ')}
                  {endpoints.length + mailto.length > 3 && ` and ${endpoints.length + mailto.length - 3} more`}
                  {endpoints.length + mailto.length === 0 && <span class="faint">nobody; it is stored</span>}
                </td>
                <td class="soft nowrap">{freq === 0 ? 'each match' : `once in ${formatDuration(freq)}`}</td>
                <td class="number">{pri}</td>
              </tr>
            ))}
          </Table>
        )}
        {page && (
          <Pager
            things="notifications"
            isFirst={at === ''}
            onFirst={() => change({ at: undefined })}
            onNext={next === undefined ? undefined : () => change({ at: next }, 'push')}
          />
        )}
      </div>
      {isNew === '1' && may('define') && <NewTemplate onClose={() => setNew('')} onDone={again} />}
    </>
  )
}

/** The form of a new one, once all numbers are known that are given away. */
function NewTemplate({ onClose, onDone }: { readonly onClose: () => void; readonly onDone: () => void }) {
  const { value, refusal } = useAnswer(async (signal) => {
    const taken = new Map<number, string>()
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const page: Awaited<ReturnType<typeof queryPage>> = await queryPage({
        database: 'mydb',
        sql: 'select * from reg_notif limit 1000',
        cursor,
        signal,
      })
      for (const { notifid, name } of page.rows.map(templateOf)) taken.set(notifid, name)
      cursor = page.next
    }
    return taken
  }, [])
  if (value) return <TemplateDialog template={undefined} taken={value} onClose={onClose} onDone={onDone} />
  return (
    <Dialog title="New notification" onClose={onClose}>
      {refusal ? <RefusalBox refusal={refusal} /> : <Skeleton lines={4} />}
    </Dialog>
  )
}
