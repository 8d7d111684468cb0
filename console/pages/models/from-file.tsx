import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { call } from '../../api/client.ts'
import { CheckField, SelectField } from '../../parts/fields.tsx'
import { formatBytes, formatCount } from '../../parts/format.ts'
import { Icon } from '../../parts/icon.tsx'
import { pathOf } from '../../parts/paths.ts'
import { Progress } from '../../parts/progress.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { type UploadProgress, upload } from '../../parts/upload.ts'
import { useAction } from '../../parts/use-action.ts'
import { useInAddress } from '../../state/address.ts'
import { ColumnTable } from './column-table.tsx'
import { type ColumnType, columnsOf, hasHeader, looksLikeKey, suggestedTarget, targetFault, taskOf } from './columns.ts'
import { initialSettings, ModelSettings, settingsFault } from './model-settings.tsx'
import { RowPreview } from './row-preview.tsx'
import { rowsIn, type Sheet } from './sheet.ts'
import { modelNameOf, trainingRequest } from './training-request.ts'

const bucket = 'ml_bucket_info'

/** The content of a file, the target that is to be predicted, and the training. */
export function FromFile({ sheet }: { readonly sheet: Sheet }) {
  const [isHeader, setHeader] = useState(() => hasHeader(sheet.rows))
  const columns = columnsOf(sheet.rows, isHeader)
  const [types, setTypes] = useState<ReadonlyMap<number, ColumnType>>(new Map())
  const [left, setLeft] = useState<ReadonlySet<number>>(
    () => new Set(columns.filter(looksLikeKey).map(({ position }) => position)),
  )
  const [target, setTarget] = useState(() => suggestedTarget(columns)?.position ?? -1)
  const [ofSchema] = useInAddress('schema')
  const [ofModel] = useInAddress('model')
  const [settings, setSettings] = useState(() =>
    initialSettings({ schema: ofSchema, model: ofModel || modelNameOf(sheet.file.name) }),
  )
  const [sent, setSent] = useState<UploadProgress>()
  const [gone, setGone] = useState<AbortController>()
  const training = useAction()
  const { route } = useLocation()

  const column = columns.find(({ position }) => position === target)
  const typed = column && { ...column, type: types.get(target) ?? column.type }
  const task = typed && taskOf(typed)
  const rows = rowsIn(sheet, isHeader)
  const { schema, model } = settings
  const fault = settingsFault(settings)

  const train = () =>
    training.run(async () => {
      const file = sheet.file.name.replace(/[^\w.-]+/g, '_')
      const key = `${model}__${schema}__${file}`
      const stop = new AbortController()
      setGone(stop)
      setSent({ sent: 0, total: sheet.file.size })
      try {
        await upload('PUT /brs/{bucket}/object/{key}', {
          path: { bucket, key },
          body: sheet.file,
          signal: stop.signal,
          onProgress: setSent,
        })
      } catch (error) {
        if (stop.signal.aborted) return
        throw error
      } finally {
        setSent(undefined)
        setGone(undefined)
      }
      const { algorithm, own, tunes, isBalanced } = settings
      const body = trainingRequest({
        ...{ schema, model, file, separator: sheet.separator, isHeader, columns, left, types, target: column },
        algorithm: column ? algorithm : 'KMEANS',
        own: column ? {} : own,
        tunes: tunes && column !== undefined,
        isBalanced: isBalanced && task === 'classes',
      })
      await call('POST /ml/train', { body })
      route(pathOf('models', schema, model))
    })

  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
        if (fault === undefined) void train()
      }}
    >
      <section class="card">
        <header>
          <h2>What is to be predicted</h2>
          <p class="small soft">
            {sheet.isWhole ? '' : 'about '}
            {formatCount(rows)} rows, {formatCount(columns.length)} columns
          </p>
        </header>
        <div class="inside stack">
          <SelectField
            label="Predict"
            value={String(target)}
            options={[
              ...columns.map(({ name, position }) => [String(position), name] as const),
              ['-1', 'nothing: find groups of rows that are alike'],
            ]}
            onInput={(value) => setTarget(Number(value))}
            hint={
              typed ? (
                <TargetSays column={typed} />
              ) : (
                'Clusters: each row gets the number of the group that is nearest to it.'
              )
            }
            fault={typed && faultText(targetFault(typed))}
          />
          <ModelSettings
            settings={settings}
            onChange={setSettings}
            hasTarget={column !== undefined}
            isClasses={task === 'classes'}
          />
          <RefusalBox refusal={training.refusal} />
          {sent ? (
            <div class="row">
              <div class="grow">
                <Progress
                  label={`uploading ${sheet.file.name}`}
                  share={sent.sent / Math.max(1, sent.total)}
                  says={`${formatBytes(sent.sent)} of ${formatBytes(sent.total)}`}
                />
              </div>
              <button type="button" class="button" onClick={() => gone?.abort()}>
                Stop
              </button>
            </div>
          ) : (
            <div class="row end">
              {fault !== undefined && <span class="small soft">{fault}</span>}
              <button type="submit" class="button main" disabled={training.isRunning || fault !== undefined}>
                <Icon name="play" />
                Upload and train
              </button>
            </div>
          )}
        </div>
      </section>
      <section class="card">
        <header class="spread">
          <h2>Columns</h2>
          <CheckField label="The first row holds the names" isOn={isHeader} onChange={setHeader} />
        </header>
        <ColumnTable
          columns={columns}
          target={target}
          types={types}
          left={left}
          onType={(position, type) => {
            const own = columns.find((each) => each.position === position)?.type
            const changed = new Map(types)
            if (type === own) changed.delete(position)
            else changed.set(position, type)
            setTypes(changed)
          }}
          onLeave={(position, isLeft) => {
            const changed = new Set(left)
            if (isLeft) changed.add(position)
            else changed.delete(position)
            setLeft(changed)
          }}
          onTarget={setTarget}
        />
      </section>
      <RowPreview rows={isHeader ? sheet.rows.slice(1) : sheet.rows} columns={columns} target={target} />
    </form>
  )
}

const faultText = (fault: string | undefined): string | undefined =>
  fault === undefined ? undefined : `This column can hardly be predicted: ${fault}.`

function TargetSays({ column }: { readonly column: ReturnType<typeof columnsOf>[number] }) {
  const { values, distinct, filled, missing, min = 0, max = 0 } = column
  const without =
    missing > 0 ? ` Rows without it are left out (${formatCount(missing)} of those that were looked at).` : ''
  if (taskOf(column) === 'numbers')
    return (
      <>
        A number, from {min} to {max}.{without}
      </>
    )
  const shown = values
    .slice(0, 4)
    .map(([value, rows]) => `${value} ${Math.round((rows / Math.max(1, filled)) * 100)} %`)
  return (
    <>
      {formatCount(distinct)} classes: {shown.join(', ')}
      {distinct > shown.length && ', …'}.{without}
    </>
  )
}
