import { useState } from 'preact/hooks'
import { addressOf, call } from '../../api/client.ts'
import { may } from '../../api/session.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { DropZone } from '../../parts/drop-zone.tsx'
import { formatBytes, formatCount } from '../../parts/format.ts'
import { Icon } from '../../parts/icon.tsx'
import { Progress } from '../../parts/progress.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { type UploadProgress, upload } from '../../parts/upload.ts'
import { useAction } from '../../parts/use-action.ts'

type PredictFileProps = { readonly schema: string; readonly model: string }

const bucket = 'ml_bucket_info'

/** A file of rows, predicted in the background; its result is downloaded. */
export function PredictFile({ schema, model }: PredictFileProps) {
  const [sent, setSent] = useState<UploadProgress>()
  const [file, setFile] = useState<string>()
  const sending = useAction()

  const predict = (chosen: File) =>
    sending.run(async () => {
      setFile(undefined)
      setSent({ sent: 0, total: chosen.size })
      const name = chosen.name.replace(/[^\w.-]+/g, '_')
      const key = `${model}__${schema}__${name}`
      try {
        await upload('PUT /brs/{bucket}/object/{key}', { path: { bucket, key }, body: chosen, onProgress: setSent })
      } finally {
        setSent(undefined)
      }
      const input_format = /\.(?:json|ndjson|jsonl)$/i.test(name) ? 'JSON' : 'CSV'
      await call('POST /ml/pred/{type}', {
        path: { type: 1 },
        body: { 'schema-name': schema, model_name: model, input_format, predict_format: 'csv', data: name },
      })
      setFile(name)
    })

  if (!may('write')) return null
  return (
    <section class="card">
      <header>
        <h2>A file of rows</h2>
        <p class="small soft">
          CSV or JSON lines. The result is a CSV with a row for each: key, prediction, probabilities.
        </p>
      </header>
      <div class="inside stack">
        <DropZone
          label="Choose a file to predict"
          accept=".csv,.json,.ndjson,.jsonl"
          isOff={sending.isRunning}
          onFiles={([chosen]) => chosen && void predict(chosen)}
        />
        {sent && (
          <Progress
            label="uploading"
            share={sent.sent / Math.max(1, sent.total)}
            says={`${formatBytes(sent.sent)} of ${formatBytes(sent.total)}`}
          />
        )}
        <RefusalBox refusal={sending.refusal} />
        {file !== undefined && <Predicted schema={schema} model={model} file={file} />}
      </div>
    </section>
  )
}

function Predicted({ schema, model, file }: PredictFileProps & { readonly file: string }) {
  const [isOver, setOver] = useState(false)
  const { value, refusal } = useAnswer(
    async (signal) => {
      const status = await call('GET /ml/{schema}/{model}/{file}/status', { path: { schema, model, file }, signal })
      setOver(status.pred_req_state < 20 || status.pred_req_state === 25)
      return status
    },
    [schema, model, file],
    isOver ? {} : { every_ms: 700 },
  )
  if (!value) return <RefusalBox refusal={refusal} />
  if (!isOver) return <Progress label={`predicting ${file}`} share={value.progress} />
  if (value.pred_req_state !== 25)
    return (
      <div class="notice bad">
        <Icon name="warning" />
        <p>{value.error.join(' ')}</p>
      </div>
    )
  return (
    <div class="row">
      <span aria-live="polite">
        {formatCount(value.num_rows)} rows predicted
        {value.num_failed > 0 && `, ${formatCount(value.num_failed)} of them failed`}
      </span>
      <a
        class="button main"
        href={addressOf('GET /brs/{bucket}/object/{key}', { path: { bucket, key: value.pred_file_out } })}
        download={`${file}.predicted.csv`}
      >
        <Icon name="download" />
        Download
      </a>
    </div>
  )
}
