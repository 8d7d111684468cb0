import { useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { addressOf, call, Refusal } from '../../api/client.ts'
import { may } from '../../api/session.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Crumbs } from '../../parts/crumbs.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Empty } from '../../parts/empty.tsx'
import { formatAgo, formatCount } from '../../parts/format.ts'
import { Icon } from '../../parts/icon.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { useAction } from '../../parts/use-action.ts'
import { useInAddress } from '../../state/address.ts'
import { readMetrics } from './metrics.ts'
import { Predict } from './predict.tsx'
import { Quality } from './quality.tsx'
import type { ShownCard } from './shown-card.ts'
import { StateBadge } from './state-badge.tsx'
import { isUnderWay } from './states.ts'
import { TrainingPanel } from './training-panel.tsx'
import { Versions } from './versions.tsx'

type ModelKey = { readonly schema: string; readonly model: string }

const tabs = [
  ['quality', 'Quality'],
  ['predict', 'Predict'],
  ['versions', 'Versions'],
  ['training', 'Training'],
] as const
type TabName = (typeof tabs)[number][0]

/** Undefined where there is none: a model that is trained for the first time has no card, one whose request was removed no training. */
async function orNone<Value>(asked: Promise<Value>): Promise<Value | 'none'> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return 'none'
    throw error
  }
}

export function ModelPage({ schema, model }: ModelKey) {
  const path = { schema, model }
  const [chosen, choose] = useInAddress('tab')
  const [isHot, setHot] = useState(true)
  const training = useAnswer(
    async (signal) => {
      const status = await orNone(call('GET /ml/{schema}/{model}/status', { path, signal }))
      setHot(status !== 'none' && isUnderWay(status.train_req_state))
      return status
    },
    [schema, model],
    { every_ms: isHot ? 700 : 5000 },
  )
  const status = training.value === 'none' ? undefined : training.value
  const card = useAnswer(
    (signal) => orNone(call('GET /ml/{schema}/{model}', { path, signal })),
    [schema, model, status?.serving, isUnderWay(status?.train_req_state)],
  )
  // While it is asked anew, the page shows what it has.
  const latest = useRef(card.value)
  latest.current = card.value ?? latest.current
  const shown = latest.current === 'none' ? undefined : latest.current
  const isAbsent = training.value === 'none' && card.value === 'none'
  const tab = (tabs.find(([name]) => name === chosen)?.[0] ??
    (shown && !isUnderWay(status?.train_req_state) ? 'quality' : 'training')) satisfies TabName
  const refusal = card.refusal ?? training.refusal

  return (
    <>
      <Crumbs steps={[['Models', '/console/models'], [schema]]} />
      <PageHead title={model} says={shown && <Says card={shown} />}>
        {status && <StateBadge state={status.train_req_state} />}
        {shown && (
          <a
            class="button"
            href={addressOf('GET /ml/{schema}/{model}/model.onnx', { path })}
            download={`${model}.onnx`}
          >
            <Icon name="download" />
            ONNX file
          </a>
        )}
        {may('train') && (shown || status) && <Remove {...path} />}
      </PageHead>
      <RefusalBox refusal={refusal} />
      {isAbsent && (
        <div class="card">
          <Empty title={`There is no model ${model} in ${schema}`} icon="models">
            <a href="/console/models">All models</a>
          </Empty>
        </div>
      )}
      {!isAbsent && !refusal && (training.value === undefined || latest.current === undefined) && (
        <div class="card">
          <Skeleton lines={6} />
        </div>
      )}
      {!isAbsent && training.value !== undefined && latest.current !== undefined && (
        <Tabs label="Of the model" tabs={tabs} chosen={tab} onChoose={(name) => choose(name, 'push')}>
          <div class="tab-content">
            {tab === 'training' && <TrainingPanel {...path} status={status} onStopped={training.again} />}
            {tab !== 'training' && !shown && (
              <div class="card">
                <Empty title="No version is published yet" icon="models">
                  <button type="button" class="button" onClick={() => choose('training')}>
                    See how the training does
                  </button>
                </Empty>
              </div>
            )}
            {shown && tab === 'quality' && (
              <Quality metrics={readMetrics(shown.metrics)} task={shown.task} target={shown.target} />
            )}
            {shown && tab === 'predict' && <Predict key={shown.version} card={shown} />}
            {shown && tab === 'versions' && <Versions {...path} onChanged={card.again} />}
          </div>
        </Tabs>
      )}
    </>
  )
}

function Says({ card }: { readonly card: ShownCard }) {
  const { algo_type, task, target, labels = [], num_attributes, rows, version, since, series } = card
  const what =
    task === 'classes'
      ? `which of ${labels.length} classes ${target ?? ''} is`
      : task === 'clusters'
        ? 'which cluster a row belongs to'
        : task === 'entities'
          ? 'which names a text has'
          : (target ?? 'a number')
  const from = series
    ? `its last ${series.lag} values`
    : `${formatCount(num_attributes ?? 0)} ${num_attributes === 1 ? 'attribute' : 'attributes'}`
  return (
    <>
      {algo_type} tells {what} from {from}
      {rows !== undefined && `, learnt from ${formatCount(rows)} rows`}. Version {version} serves since{' '}
      {formatAgo(since)}.
    </>
  )
}

function Remove({ schema, model }: ModelKey) {
  const [isOpen, setOpen] = useState(false)
  const removal = useAction()
  const { route } = useLocation()
  const remove = () =>
    removal.run(async () => {
      await call('DELETE /ml/{schema}/{model}', { path: { schema, model } })
      route('/console/models')
    })
  return (
    <>
      <button type="button" class="button" onClick={() => setOpen(true)}>
        <Icon name="trash" />
        Remove
      </button>
      {isOpen && (
        <Dialog title={`Remove model ${model}?`} onClose={() => setOpen(false)}>
          <p>
            Its versions, trainings and predicted files go, and cannot be brought back; files that were uploaded to
            train it stay. Attributes that it fills in events stay empty from then on.
          </p>
          <RefusalBox refusal={removal.refusal} />
          <div class="actions">
            <button type="button" class="button" onClick={() => setOpen(false)}>
              Keep it
            </button>
            <button type="button" class="button danger" disabled={removal.isRunning} onClick={() => void remove()}>
              Remove it
            </button>
          </div>
        </Dialog>
      )}
    </>
  )
}
