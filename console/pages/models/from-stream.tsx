import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { call } from '../../api/client.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Empty } from '../../parts/empty.tsx'
import { SelectField } from '../../parts/fields.tsx'
import { formatCount } from '../../parts/format.ts'
import { Icon } from '../../parts/icon.tsx'
import { pathOf } from '../../parts/paths.ts'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { useAction } from '../../parts/use-action.ts'
import { useInAddress } from '../../state/address.ts'
import { attributesIn } from './attributes-in.ts'
import { initialSettings, ModelSettings, settingsFault } from './model-settings.tsx'

/** A model of the events that a stream has, or of the rows of an entity stream. */
export function FromStream() {
  const [schema, setSchema] = useInAddress('schema')
  const [stream, setStream] = useInAddress('stream')
  const schemas = useAnswer((signal) => call('GET /stream/list', { signal }), [])
  const names = schemas.value?.schemas.map(({ name }) => name) ?? []
  const chosen = names.includes(schema) ? schema : (names[0] ?? '')
  const info = useAnswer(
    async (signal) =>
      chosen === '' ? undefined : call('GET /stream/{schema}/info', { path: { schema: chosen }, signal }),
    [chosen],
  )
  const text = useAnswer(
    async (signal) =>
      chosen === '' ? undefined : call('GET /stream/{schema}/schema', { path: { schema: chosen }, signal }),
    [chosen],
  )
  const streams = info.value?.streams ?? []
  const of = streams.find(({ name }) => name === stream) ?? streams[0]
  const attributes = of ? attributesIn(text.value, of.name) : []
  const [target, setTarget] = useState('')
  const wanted = attributes.find(({ name }) => name === target) ?? attributes.at(-1)
  const [settings, setSettings] = useState(() => initialSettings({ schema: '', model: '' }))
  const all = { ...settings, schema: chosen, model: settings.model || `${of?.name ?? 'stream'}_model` }
  const isCluster = target === '-'
  const fault = settingsFault(all)
  const training = useAction()
  const { route } = useLocation()

  const train = () =>
    training.run(async () => {
      await call('POST /ml/train', {
        body: {
          'schema-name': all.schema,
          model_name: all.model,
          algo_type: isCluster ? 'KMEANS' : all.algorithm,
          ...(isCluster && { algo_param: all.own }),
          ...(all.tunes && !isCluster && { tune_params: 1 }),
          ...(all.isBalanced && !isCluster && wanted?.kind === 'word' && { class_weight: 'balanced' }),
          attr_list: attributes.map(({ name, type }, position) => ({ name, position, type })),
          training_details: {
            training_source_type: 'STREAM',
            'stream-name': of?.name,
            ...(!isCluster && { target: wanted?.name }),
          },
        },
      })
      route(pathOf('models', all.schema, all.model))
    })

  if (schemas.value && names.length === 0)
    return (
      <div class="card">
        <Empty title="There is no stream yet" icon="streams">
          <a href="/console/streams">Register one</a>
        </Empty>
      </div>
    )
  return (
    <form
      class="card"
      onSubmit={(event) => {
        event.preventDefault()
        if (fault === undefined) void train()
      }}
    >
      <header>
        <h2>What is to be predicted</h2>
        {of && <p class="small soft">{formatCount(of.num_events)} events</p>}
      </header>
      <div class="inside stack">
        <div class="settings-fields">
          <SelectField
            label="Of schema"
            value={chosen}
            options={names.map((name) => [name, name] as const)}
            onInput={setSchema}
          />
          <SelectField
            label="Stream"
            value={of?.name ?? ''}
            options={streams.map(({ name }) => [name, name] as const)}
            onInput={setStream}
          />
          <SelectField
            label="Predict"
            value={isCluster ? '-' : (wanted?.name ?? '')}
            options={[
              ...attributes.map(({ name }) => [name, name] as const),
              ['-', 'nothing: find groups of events that are alike'] as const,
            ]}
            onInput={setTarget}
          />
        </div>
        <ModelSettings
          settings={all}
          onChange={setSettings}
          hasTarget={!isCluster}
          isClasses={wanted?.kind === 'word'}
        />
        <RefusalBox refusal={schemas.refusal ?? info.refusal ?? training.refusal} />
        <div class="row end">
          <button
            type="submit"
            class="button main"
            disabled={training.isRunning || fault !== undefined || attributes.length < 2}
          >
            <Icon name="play" />
            Train
          </button>
        </div>
      </div>
    </form>
  )
}
