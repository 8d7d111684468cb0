import { useMemo, useState } from 'preact/hooks'
import type { Refusal } from '../../api/client.ts'
import { Editor } from '../../parts/editor/editor.tsx'
import { FaultText, markOf } from '../../parts/editor/fault-text.tsx'
import { placedFault } from '../../parts/editor/placed-fault.ts'
import { CheckField, SelectField, TextField } from '../../parts/fields.tsx'
import { HelpLink } from '../../parts/help-link.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { createCatalogue } from '../query/catalogue.ts'
import { suggestSql } from '../query/suggest-sql.ts'
import { suggestWeir } from '../query/suggest-weir.ts'
import { type Definition, kindOf, paramsOf, type Typed, typedOf, typeText } from './definition.ts'

/** A question as its form has it. */
export type Draft = {
  readonly sql: string
  readonly language: 'sql' | 'weir'
  readonly db: string
  readonly description: string
  readonly cache_s: string
  /** The forms of parameters that were changed. */
  readonly typed: Readonly<Record<string, Typed>>
}

export const draftOf = ({ sql, language, db = '', description = '', cache_s }: Definition): Draft => ({
  ...{ sql, language, db, description, cache_s: cache_s === 0 ? '' : String(cache_s) },
  typed: {},
})

/** The definition of a draft; `before` has its alert and its schedule, which stay, and the parameters as they were. */
export function draftedDefinition(draft: Draft, before: Definition): Definition {
  const { sql, language, db, description, cache_s, typed } = draft
  const { watch, schedule } = before
  return {
    ...{ sql, language, cache_s: Number(cache_s) || 0, params: paramsOf(typedOf(sql, before.params, typed)) },
    ...(db.trim() !== '' && { db: db.trim() }),
    ...(description.trim() !== '' && { description: description.trim() }),
    ...(watch && { watch }),
    ...(schedule && { schedule }),
  }
}

type QuestionFormProps = {
  readonly draft: Draft
  readonly before: Definition
  readonly onChange: (draft: Draft) => void
  /** Control or Command with Enter in the text. */
  readonly onRun: () => void
  readonly refusal: Refusal | undefined
}

/** The text of a question, its parameters and its description. */
export function QuestionForm({ draft, before, onChange, onRun, refusal }: QuestionFormProps) {
  const { sql, language } = draft
  const [catalogue] = useState(createCatalogue)
  const suggest = useMemo(
    () => (language === 'sql' ? suggestSql(catalogue) : suggestWeir(catalogue, () => draft.db || 'mydb')),
    [language, catalogue, draft.db],
  )
  const refused = useMemo(() => sql, [refusal])
  const [reason] = refusal?.reasons ?? []
  const placed = useMemo(() => (reason === undefined ? undefined : placedFault(reason)), [reason, refusal])
  const fault = sql === refused ? placed : undefined
  const marks = useMemo(() => (fault ? [markOf(sql, fault)] : []), [sql, fault])
  const parameters = typedOf(sql, before.params, draft.typed)
  const set = (changed: Partial<Draft>) => onChange({ ...draft, ...changed })
  return (
    <>
      <section class="card query-card" aria-label="Question">
        <header>
          <fieldset class="choices" aria-label="Language">
            {(['sql', 'weir'] as const).map((each) => (
              <button key={each} type="button" aria-pressed={language === each} onClick={() => set({ language: each })}>
                {each === 'weir' ? "Weir's language" : 'SQL'}
              </button>
            ))}
          </fieldset>
          <HelpLink class="small" to={language === 'sql' ? 'analysts' : 'streams#queries'}>
            How it is written
          </HelpLink>
        </header>
        <Editor
          label="Text of the question"
          language={language}
          value={sql}
          onInput={(value) => set({ sql: value })}
          onRun={onRun}
          suggest={suggest}
          marks={marks}
          placeholder={
            language === 'sql'
              ? 'SELECT page, count() AS visits FROM shop.visits WHERE country = {country:String} GROUP BY page ORDER BY page'
              : 'select * from shop.visits where country = {country:String} limit 100'
          }
        />
        {fault && <FaultText text={sql} fault={fault} />}
      </section>
      {!placed && <RefusalBox refusal={refusal} />}
      <section class="card" aria-label="Parameters">
        <header>
          <h2>Parameters</h2>
          <p class="small soft">
            {parameters.length === 0 ? (
              <>
                Write <code>{'{country:String}'}</code> in the text where a value changes from one request to the next.
              </>
            ) : (
              'A value is checked and bound, never pasted into the text.'
            )}
          </p>
        </header>
        {parameters.map((each) => (
          <ParameterForm
            key={each.name}
            typed={each}
            onChange={(typed) => set({ typed: { ...draft.typed, [typed.name]: typed } })}
          />
        ))}
      </section>
      <section class="card saved-inside saved-about" aria-label="About the question">
        <TextField
          label="Description"
          value={draft.description}
          onInput={(description) => set({ description })}
          hint="a sentence for those who read the list, and for agents, which get the question as a tool"
        />
        <TextField
          label="An answer may be so many seconds old"
          value={draft.cache_s}
          onInput={(cache_s) => set({ cache_s })}
          type="number"
          placeholder="0"
          hint="equal requests within that time are answered by one; 0: each answer has all events that were acknowledged before"
        />
        <TextField
          label="Database"
          value={draft.db}
          onInput={(db) => set({ db })}
          placeholder="mydb"
          hint="of tables that the text names without one"
        />
      </section>
    </>
  )
}

type ParameterFormProps = { readonly typed: Typed; readonly onChange: (typed: Typed) => void }

function ParameterForm({ typed, onChange }: ParameterFormProps) {
  const { name, type } = typed
  const { kind, isList } = kindOf(type)
  const set = (changed: Partial<Typed>) => onChange({ ...typed, ...changed })
  const isOfNumbers = kind === 'integer' || kind === 'number'
  return (
    <fieldset class="saved-parameter inside" aria-label={`Parameter ${name}`}>
      <legend>
        <span class="mono">{name}</span> <span class="soft small">{`${type}: ${typeText(type)}`}</span>
      </legend>
      <div class="saved-fields">
        <div class="stack tight">
          <CheckField label="may be left out" isOn={typed.hasDefault} onChange={(hasDefault) => set({ hasDefault })} />
          {typed.hasDefault &&
            (kind === 'boolean' && !isList ? (
              <SelectField
                label={`${name} is then`}
                value={typed.default}
                options={[
                  ['', 'choose'],
                  ['true', 'true'],
                  ['false', 'false'],
                ]}
                onInput={(value) => set({ default: value })}
              />
            ) : (
              <TextField
                label={`${name} is then`}
                value={typed.default}
                onInput={(value) => set({ default: value })}
                hint={typeText(type)}
              />
            ))}
        </div>
        {kind !== 'boolean' && (
          <TextField
            label="Only these values"
            value={typed.values}
            onInput={(values) => set({ values })}
            hint="with commas between; none: all"
          />
        )}
        {isOfNumbers && (
          <>
            <TextField label="At least" value={typed.min} onInput={(min) => set({ min })} />
            <TextField label="At most" value={typed.max} onInput={(max) => set({ max })} />
          </>
        )}
        <TextField label="What it means" value={typed.description} onInput={(description) => set({ description })} />
      </div>
    </fieldset>
  )
}
