import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { call } from '../../api/client.ts'
import { may } from '../../api/session.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Crumbs } from '../../parts/crumbs.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Empty } from '../../parts/empty.tsx'
import { formatDuration } from '../../parts/format.ts'
import { Icon } from '../../parts/icon.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { queryPage } from '../../parts/query-page.ts'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { useAction } from '../../parts/use-action.ts'
import { useInAddress } from '../../state/address.ts'
import { Deliveries } from './deliveries.tsx'
import { Sends } from './sends.tsx'
import { type Template, templateOf } from './template.ts'
import { TemplateDialog } from './template-dialog.tsx'

const tabs = [
  ['deliveries', 'Deliveries'],
  ['sends', 'Sends'],
  ['template', 'Template'],
] as const

export function NotificationPage({ id }: { readonly id: string }) {
  const [chosen, choose] = useInAddress('tab')
  const [isEdited, setEdited] = useState(false)
  const [isGoing, setGoing] = useState(false)
  const change = useAction()
  const { route } = useLocation()
  const { value, refusal, again } = useAnswer(
    async (signal) => {
      const sql = `select * from reg_notif where notifid = ${Number(id)} limit 1`
      const {
        rows: [row],
      } = await queryPage({ database: 'mydb', sql, signal })
      return { template: row ? templateOf(row) : undefined }
    },
    [id],
  )
  const template = value?.template
  const tab = tabs.find(([name]) => name === chosen)?.[0] ?? 'deliveries'
  const setState = (state: 'paused' | 'active' | 'remove') =>
    change.run(async () => {
      await call('POST /db/notification/state', { body: { notifid: Number(id), state } })
      if (state === 'remove') route('/console/notifications')
      else again()
    })

  return (
    <>
      <Crumbs steps={[['Notifications', '/console/notifications'], [`notf ${id}`]]} />
      <PageHead title={template?.name || `Notification ${id}`}>
        {template && (
          <span class={template.state === 1 ? 'badge good' : 'badge warn'}>
            {template.state === 1 ? 'active' : 'paused'}
          </span>
        )}
        {template && may('define') && (
          <>
            <button
              type="button"
              class="button"
              disabled={change.isRunning}
              onClick={() => void setState(template.state === 1 ? 'paused' : 'active')}
            >
              <Icon name={template.state === 1 ? 'pause' : 'play'} />
              {template.state === 1 ? 'Pause' : 'Go on'}
            </button>
            <button type="button" class="button" onClick={() => setEdited(true)}>
              <Icon name="edit" />
              Edit
            </button>
            <button type="button" class="button" onClick={() => setGoing(true)}>
              <Icon name="trash" />
              Remove
            </button>
          </>
        )}
      </PageHead>
      <RefusalBox refusal={refusal ?? change.refusal} />
      {!value && !refusal && (
        <div class="card">
          <Skeleton lines={4} />
        </div>
      )}
      {value && !template && (
        <div class="card">
          <Empty title={`There is no notification ${id}`} icon="notifications">
            <a href="/console/notifications">All notifications</a>
          </Empty>
        </div>
      )}
      {template && (
        <Tabs label="Of the notification" tabs={tabs} chosen={tab} onChoose={(name) => choose(name, 'push')}>
          <div class="tab-content">
            {tab === 'deliveries' && <Deliveries id={template.notifid} />}
            {tab === 'sends' && <Sends id={template.notifid} />}
            {tab === 'template' && <Facts template={template} />}
          </div>
        </Tabs>
      )}
      {isEdited && template && <TemplateDialog template={template} onClose={() => setEdited(false)} onDone={again} />}
      {isGoing && (
        <Dialog title={`Remove notification ${id}?`} onClose={() => setGoing(false)}>
          <p>Pending deliveries end, and matches make nothing from now on. What was sent stays to be read.</p>
          <div class="actions">
            <button type="button" class="button" onClick={() => setGoing(false)}>
              Keep it
            </button>
            <button
              type="button"
              class="button danger"
              disabled={change.isRunning}
              onClick={() => void setState('remove')}
            >
              Remove it
            </button>
          </div>
        </Dialog>
      )}
    </>
  )
}

function Facts({ template }: { readonly template: Template }) {
  const { endpoints, mailto, mailfrom, subject, msg, freq, pri, tags, rule } = template
  const facts = [
    ['Webhooks', endpoints.join('\n')],
    ['Mail to', mailto.join('\n')],
    ['Mail from', mailfrom],
    ['Subject', subject],
    ['Text', msg],
    ['At most', freq === 0 ? 'each match by itself' : `once in ${formatDuration(freq)}`],
    ['Priority', String(pri)],
    ['Tags', tags.join(', ')],
    ['Rule', rule],
  ] as const
  return (
    <section class="card">
      <dl class="inside facts">
        {facts
          .filter(([, text]) => text !== '')
          .flatMap(([name, text]) => [
            <dt key={name}>{name}</dt>,
            <dd key={`${name}=`} class="text-lines">
              {text}
            </dd>,
          ])}
      </dl>
    </section>
  )
}
