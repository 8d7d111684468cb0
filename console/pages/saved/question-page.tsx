import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { call } from '../../api/client.ts'
import { type Answer, useAnswer } from '../../api/use-answer.ts'
import { Crumbs } from '../../parts/crumbs.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Icon } from '../../parts/icon.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { useAction } from '../../parts/use-action.ts'
import { useInAddress } from '../../state/address.ts'
import { AlertTab } from './alert-tab.tsx'
import { AnswerTab } from './answer-tab.tsx'
import { CallTab } from './call-tab.tsx'
import type { Described } from './definition.ts'
import { EditTab } from './edit-tab.tsx'
import { mayDefine } from './rights.ts'
import { ScheduleTab } from './schedule-tab.tsx'
import { VersionsTab } from './versions-tab.tsx'

const tabs = [
  ['answer', 'Answer'],
  ['edit', 'Question'],
  ['alert', 'Alert'],
  ['schedule', 'Schedule'],
  ['call', 'Call it'],
  ['versions', 'Versions'],
] as const

/** A saved question: its answer, its text, its alert, its schedule. */
export function QuestionPage({ name }: { readonly name: string }) {
  const [chosen, choose] = useInAddress('tab', 'answer')
  const answer: Answer<Described> = useAnswer(
    (signal) => call('GET /saved/{saved}', { path: { saved: name }, signal }),
    [name],
  )
  const { value: described, refusal, again } = answer
  const tab = tabs.find(([each]) => each === chosen)?.[0] ?? 'answer'
  const props = described && { described, onChanged: again }
  return (
    <>
      <Crumbs steps={[['Saved questions', '/console/saved'], [name]]} />
      <PageHead title={name} says={described?.description}>
        {described && <span class="badge">version {described.version}</span>}
        {described && mayDefine(name) && <DeleteButton name={name} />}
      </PageHead>
      <RefusalBox refusal={refusal} />
      {!described && !refusal && (
        <div class="card">
          <Skeleton lines={6} />
        </div>
      )}
      {props && (
        <Tabs label={`Of ${name}`} tabs={tabs} chosen={tab} onChoose={(each) => choose(each, 'push')}>
          <div class="tab-content stack">
            {tab === 'answer' && <AnswerTab {...props} />}
            {tab === 'edit' && <EditTab {...props} />}
            {tab === 'alert' && <AlertTab {...props} />}
            {tab === 'schedule' && <ScheduleTab {...props} />}
            {tab === 'call' && <CallTab {...props} />}
            {tab === 'versions' && <VersionsTab {...props} />}
          </div>
        </Tabs>
      )}
    </>
  )
}

/** Deletes the question, behind what its dry run says. */
function DeleteButton({ name }: { readonly name: string }) {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <button type="button" class="button" onClick={() => setAsking(true)}>
        <Icon name="trash" />
        Delete
      </button>
      {isAsking && <DeleteDialog name={name} onClose={() => setAsking(false)} />}
    </>
  )
}

function DeleteDialog({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  const { route } = useLocation()
  const path = { saved: name }
  const would = useAnswer((signal) => call('DELETE /saved/{saved}', { path, query: { dry: 1 }, signal }), [name])
  const removal = useAction()
  const remove = () =>
    removal.run(async () => {
      await call('DELETE /saved/{saved}', { path })
      route('/console/saved')
    })
  return (
    <Dialog title={`Delete ${name}?`} onClose={onClose}>
      <div class="stack">
        {would.value ? <p>{would.value.msg}.</p> : !would.refusal && <Skeleton lines={1} />}
        <p>Its address answers no more, its alert and its schedule end. It cannot be brought back.</p>
        <RefusalBox refusal={would.refusal ?? removal.refusal} />
      </div>
      <div class="actions">
        <button type="button" class="button" onClick={onClose}>
          Keep it
        </button>
        <button
          type="button"
          class="button danger"
          disabled={removal.isRunning || would.value === undefined}
          onClick={() => void remove()}
        >
          Delete it
        </button>
      </div>
    </Dialog>
  )
}
