import { call } from '../../api/client.ts'
import { session } from '../../api/session.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { CheckField, SelectField, TextField } from '../../parts/fields.tsx'
import { nameFault } from './training-request.ts'

export type Settings = {
  readonly schema: string
  readonly model: string
  readonly algorithm: string
  readonly own: Readonly<Record<string, unknown>>
  readonly tunes: boolean
  readonly isBalanced: boolean
}

/** The schema that is asked for, else one that the key is good for. */
export function initialSettings({ schema, model }: { readonly schema: string; readonly model: string }): Settings {
  const own = session.value?.on?.find((place) => place.startsWith('schema:'))?.slice('schema:'.length)
  return { schema: schema || own || 'demo', model, algorithm: 'TREE', own: { k: 3 }, tunes: false, isBalanced: false }
}

export function settingsFault({ schema, model }: Settings): string | undefined {
  const [ofSchema, ofModel] = [nameFault(schema), nameFault(model)]
  if (ofModel !== undefined) return `The model's name: ${ofModel}`
  return ofSchema === undefined ? undefined : `The schema's name: ${ofSchema}`
}

const choices = [
  ['TREE', 'TREE: boosted trees, good as they are'],
  ['LIN', 'LIN: linear, fast, few parameters'],
  ['SVM', 'SVM: support vectors, for small data'],
] as const

type ModelSettingsProps = {
  readonly settings: Settings
  readonly onChange: (settings: Settings) => void
  readonly hasTarget: boolean
  readonly isClasses: boolean
}

/** The model's name, and how it is trained. */
export function ModelSettings({ settings, onChange, hasTarget, isClasses }: ModelSettingsProps) {
  const { schema, model, algorithm, own, tunes, isBalanced } = settings
  const models = useAnswer((signal) => call('GET /ml', { signal }), [])
  const schemas = useAnswer((signal) => call('GET /stream/list', { signal }), [])
  const before = models.value?.models.find((each) => each['schema-name'] === schema && each.model_name === model)
  const names = [
    ...new Set([
      ...(schemas.value?.schemas.map(({ name }) => name) ?? []),
      ...(models.value?.models.map((each) => each['schema-name']) ?? []),
    ]),
  ]
  const change = (changes: Partial<Settings>) => onChange({ ...settings, ...changes })
  return (
    <>
      <div class="settings-fields">
        <TextField
          label="Name of the model"
          value={model}
          onInput={(text) => change({ model: text })}
          isRequired
          hint={
            before && `There is one: this makes version ${before.num_versions + 1}, which answers once it is trained.`
          }
        />
        <TextField
          label="Schema"
          value={schema}
          onInput={(text) => change({ schema: text })}
          isRequired
          list={names}
          hint="Models are kept by schema; it need not be there."
        />
        {hasTarget ? (
          <SelectField
            label="Algorithm"
            value={algorithm}
            options={choices}
            onInput={(name) => change({ algorithm: name })}
          />
        ) : (
          <TextField
            label="Number of clusters"
            type="number"
            value={String(own.k)}
            onInput={(text) => change({ own: { ...own, k: Number(text) } })}
          />
        )}
      </div>
      {hasTarget && (
        <div class="row checks">
          <CheckField
            label="Search for good parameters (takes longer)"
            isOn={tunes}
            onChange={(isOn) => change({ tunes: isOn })}
          />
          {isClasses && (
            <CheckField
              label="Rare classes count as much as frequent ones"
              isOn={isBalanced}
              onChange={(isOn) => change({ isBalanced: isOn })}
            />
          )}
        </div>
      )}
    </>
  )
}
