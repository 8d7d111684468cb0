import { useState } from 'preact/hooks'
import { call } from '../../api/client.ts'
import { AttributeForm } from '../../parts/attribute-form.tsx'
import { Bars } from '../../parts/bars.tsx'
import { Code } from '../../parts/code.tsx'
import { Empty } from '../../parts/empty.tsx'
import { TextField } from '../../parts/fields.tsx'
import { type FormAttribute, faultOf, lineOf, typedFrom } from '../../parts/form-values.ts'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { useAction } from '../../parts/use-action.ts'
import { PredictFile } from './predict-file.tsx'
import type { ShownCard } from './shown-card.ts'
import { wordsIn } from './words.ts'

type Prediction = Awaited<ReturnType<typeof call<'POST /ml/pred/{type}'>>>
type Line = Extract<Prediction, { readonly predict_labels: unknown }>

/** So many fields are still a form; beyond, a line of JSON is edited. */
const maxFields = 60

/** Asks the model: a form made from its attributes, and the answer with its probabilities. */
export function Predict({ card }: { readonly card: ShownCard }) {
  const { 'schema-name': schema, model_name: model, input_example: example = '{}', task, labels = [] } = card
  const attributes = attributesOf(card, example)
  const isForm = attributes.length > 0 && attributes.length <= maxFields
  const [typed, setTyped] = useState(() => typedFrom(attributes, objectIn(example)))
  const [json, setJson] = useState(example)
  const [threshold, setThreshold] = useState('')
  const [line, setLine] = useState<Line>()
  const asking = useAction()
  const isText =
    task === 'entities' || (attributes.length === 1 && task === 'classes' && attributes[0]?.kind === 'word')
  const data = isForm ? lineOf(attributes, typed) : json
  const isGood =
    !isForm || attributes.every((attribute) => faultOf(attribute, typed[attribute.name] ?? '') === undefined)
  const body = {
    'schema-name': schema,
    model_name: model,
    input_format: 'JSON',
    data,
    ...(threshold !== '' && { threshold: Number(threshold) }),
  }

  const ask = () =>
    asking.run(async () => {
      setLine(undefined)
      const answer = await call('POST /ml/pred/{type}', { path: { type: 2 }, body })
      if ('predict_labels' in answer) setLine(answer)
    })

  return (
    <div class="stack">
      <div class="predict">
        <form
          class="card"
          onSubmit={(event) => {
            event.preventDefault()
            void ask()
          }}
        >
          <header>
            <h2>What is known</h2>
            <p class="small soft">
              {isText
                ? 'The text to be read.'
                : 'It begins with a row of the training data. An empty field is a missing value.'}
            </p>
          </header>
          <div class="inside stack">
            {!isForm && <TextField label="A line of JSON" value={json} onInput={setJson} lines={8} isMono />}
            {isForm && isText && (
              <TextField
                label={attributes[0]?.name ?? 'text'}
                value={typed[attributes[0]?.name ?? ''] ?? ''}
                onInput={(text) => setTyped({ [attributes[0]?.name ?? '']: text })}
                lines={6}
              />
            )}
            {isForm && !isText && (
              <AttributeForm attributes={attributes} typed={typed} onType={setTyped} words={wordsIn(card.metrics)} />
            )}
            <div class="row end">
              {labels.length === 2 && task === 'classes' && (
                <div class="threshold-field">
                  <TextField
                    label={`Threshold for ${String(greater(labels))}`}
                    type="number"
                    value={threshold}
                    onInput={setThreshold}
                    placeholder="0.5"
                  />
                </div>
              )}
              <button type="submit" class="button main" disabled={asking.isRunning || !isGood}>
                Predict
              </button>
            </div>
          </div>
        </form>
        <section class="card" aria-label="Prediction">
          <header>
            <h2>Prediction</h2>
          </header>
          <div class="inside stack" aria-live="polite">
            <RefusalBox refusal={asking.refusal} />
            {line ? (
              <Answer line={line} target={card.target} />
            ) : (
              !asking.refusal && <Empty title="Nothing asked yet">Fill in what is known, and press Predict.</Empty>
            )}
          </div>
        </section>
      </div>
      <PredictFile schema={schema} model={model} />
      <section class="card">
        <header>
          <h2>The same call elsewhere</h2>
        </header>
        <div class="inside">
          <Code text={`curl -s ${location.origin}/ml/pred/2 -d ${quoted(JSON.stringify(body))}`} />
        </div>
      </section>
    </div>
  )
}

function Answer({ line, target }: { readonly line: Line; readonly target: string | undefined }) {
  const { predict_labels: found, probabilities, notes = [] } = line
  if (Array.isArray(found)) return <Entities found={found} />
  const shares = Object.entries(probabilities ?? {}).sort(([, a], [, b]) => b - a)
  return (
    <>
      <p class="prediction">
        {target !== undefined && <span class="small soft">{target}</span>}
        <strong>{typeof found === 'number' ? String(Number(found.toPrecision(9))) : String(found)}</strong>
      </p>
      {notes.map((note) => (
        <p key={note} class="notice warn">
          {note}
        </p>
      ))}
      {shares.length > 0 && (
        <Bars
          label="Probabilities"
          bars={shares
            .slice(0, 12)
            .map(([name, share]) => ({ name, share, says: `${(share * 100).toFixed(share > 0.1 ? 1 : 2)} %` }))}
        />
      )}
    </>
  )
}

function Entities({ found }: { readonly found: readonly unknown[] }) {
  if (found.length === 0) return <Empty title="No names in this text" />
  return (
    <ul class="stack tight">
      {found.map((each, place) => {
        const { text, tag, score } = Object(each)
        return (
          <li key={place} class="row">
            <strong>{String(text)}</strong>
            <span class="badge accent">{String(tag)}</span>
            <span class="small faint">{Number(score).toFixed(2)}</span>
          </li>
        )
      })}
    </ul>
  )
}

/** The card's values; a model of series takes those that its example names. */
function attributesOf({ attributes = [], num_attributes = 0 }: ShownCard, example: string): readonly FormAttribute[] {
  if (attributes.length > 0) return num_attributes > attributes.length ? [] : attributes
  return Object.entries(objectIn(example)).map(([name, value]) => ({
    name,
    kind: typeof value === 'number' ? 'number' : 'word',
  }))
}

function objectIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

const greater = ([first = '', second = '']: readonly (string | number)[]) => (first > second ? first : second)

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
