import { useEffect, useMemo, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import type { ReplaceSchemaAnswer2 } from '../../api/calls.ts'
import { call, Refusal } from '../../api/client.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Crumbs } from '../../parts/crumbs.tsx'
import { Editor } from '../../parts/editor/editor.tsx'
import { CheckField } from '../../parts/fields.tsx'
import { HelpLink } from '../../parts/help-link.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { useInAddress } from '../../state/address.ts'
import { schemaAddress } from './addresses.ts'
import { BeginWithEvent } from './begin-with-event.tsx'
import { LineChanges } from './line-changes.tsx'
import { type FormName, indented, type SchemaForm, schemaForms } from './schema-forms.ts'
import type { Problem } from './schema-problems.ts'
import { SchemaProgress } from './schema-progress.tsx'

type Trial = ReplaceSchemaAnswer2

/** The service's answer to a text. */
type Checked = {
  readonly text: string
  readonly trial?: Trial | undefined
  readonly refusal?: Refusal
}

const pause_ms = 500

const formNames = ['words', 'wire'] as const
const tabs = formNames.map((name) => [name, schemaForms[name].title] as const)

/** Registers a schema, or edits one, in either form: what an edit would do is shown before it is done. */
export function SchemaEditor({ schema }: { readonly schema?: string }) {
  const [asked, setAsked] = useInAddress('form', 'words')
  const name = formNames.find((each) => each === asked) ?? 'words'
  const form = schemaForms[name]
  const registered = useAnswer(
    async (signal) => ({ name, text: schema === undefined ? '' : await form.load(schema, signal) }),
    [schema ?? null, name],
  )
  /** The texts that were written in each form, and are not registered. */
  const [drafts, setDrafts] = useState<Partial<Record<FormName, string>>>({})
  const title = schema === undefined ? 'Register a schema' : `Edit ${schema}`
  const other = name === 'words' ? 'wire' : 'words'
  const before = registered.value?.name === name ? registered.value.text : undefined
  return (
    <>
      <Crumbs
        steps={[
          ['Streams', '/console/streams'],
          ...(schema === undefined ? [] : [[schema, schemaAddress(schema)] as const]),
        ]}
      />
      <PageHead title={title} says="What it would do is shown here before it is done.">
        <HelpLink class="button quiet" to={name === 'words' ? 'words' : 'streams'}>
          How it is written
        </HelpLink>
      </PageHead>
      <Tabs label="Forms of the schema" tabs={tabs} chosen={name} onChoose={setAsked}>
        <div class="stack">
          {drafts[other] !== undefined && (
            <p class="small soft" role="status">
              What you wrote under {schemaForms[other].title} is kept there: each form is sent by itself.
            </p>
          )}
          <RefusalBox refusal={registered.refusal} />
          {before === undefined && !registered.refusal && <Skeleton lines={10} />}
          {before !== undefined && (
            <Editing
              key={`${schema ?? ''} ${name}`}
              schema={schema}
              form={form}
              before={before}
              begin={drafts[name] ?? (schema === undefined ? form.first : before)}
              onWritten={(text) => setDrafts({ ...drafts, [name]: text })}
            />
          )}
        </div>
      </Tabs>
    </>
  )
}

type EditingProps = {
  readonly schema: string | undefined
  readonly form: SchemaForm
  /** As it is registered; empty where it is not. */
  readonly before: string
  readonly begin: string
  /** A text that is not registered; undefined where it is, as it stands. */
  readonly onWritten: (text: string | undefined) => void
}

function Editing({ schema, form, before, begin, onWritten }: EditingProps) {
  const { route } = useLocation()
  const [text, setText] = useState(begin)
  const [checked, setChecked] = useState<Checked>()
  const [goTo, setGoTo] = useState<{ readonly at: number }>()
  const [isForced, setForced] = useState(false)
  const [isApplying, setApplying] = useState(false)
  const [isOfEvent, setOfEvent] = useState(false)
  const [refusal, setRefusal] = useState<Refusal>()
  const suggest = useAnswer((signal) => form.loadSuggest(signal), [form])
  const isNew = schema === undefined

  const broken = useMemo(() => form.brokenIn(text), [form, text])
  const isUnchanged = !isNew && text === before

  useEffect(() => {
    setForced(false)
    setRefusal(undefined)
    if (text !== begin) onWritten(isUnchanged ? undefined : text)
  }, [text])

  useEffect(() => {
    if (broken || isUnchanged) return
    const gone = new AbortController()
    const timer = setTimeout(async () => {
      try {
        setChecked({ text, trial: await tryOut(isNew, form, text, isForced, gone.signal) })
      } catch (error) {
        if (gone.signal.aborted) return
        if (error instanceof Refusal) setChecked({ text, refusal: error })
      }
    }, pause_ms)
    return () => {
      clearTimeout(timer)
      gone.abort()
    }
  }, [form, text, broken, isUnchanged, isNew, isForced])

  const isChecked = checked?.text === text && !broken
  const trial = isChecked ? checked.trial : undefined
  const problems = useMemo(() => {
    if (broken) return [broken]
    if (checked?.text !== text) return []
    if (checked.refusal) return form.problemsIn(text, checked.refusal.reasons)
    return form.problemsIn(text, checked.trial?.error ?? []).map((each) => ({ ...each, isNote: true }))
  }, [form, broken, checked, text])

  const isLossy = (trial?.would_lose.length ?? 0) > 0
  const isRefused = (trial?.would_refuse.length ?? 0) > 0
  const canApply = trial !== undefined && !isUnchanged && !isApplying && !isRefused && (!isLossy || isForced)

  async function apply(): Promise<void> {
    setApplying(true)
    setRefusal(undefined)
    const sent = { body: text, headers: { 'Content-Type': form.type } }
    try {
      if (isNew) await call('POST /stream', sent)
      else await call('PUT /stream', { ...sent, query: isForced ? { force: 1 } : {} })
      route(schemaAddress(form.nameIn(text) ?? schema ?? ''))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      setRefusal(error)
    } finally {
      setApplying(false)
    }
  }

  return (
    <div class="schema-editor">
      <div class="card">
        <Editor
          label={isNew ? 'The schema' : `The schema ${schema}`}
          language={form.language}
          value={text}
          onInput={setText}
          marks={problems}
          suggest={suggest.value}
          goTo={goTo}
          indents
        />
      </div>
      <aside class="stack" aria-label="What it would do">
        <Problems problems={problems} onChoose={(at) => setGoTo({ at })} />
        {(isUnchanged || isNew) && (
          <p class="soft small">
            {isUnchanged && 'Nothing is changed yet. '}Ctrl and space shows what may be written where the cursor is.
          </p>
        )}
        {!isChecked && !broken && !isUnchanged && <Skeleton lines={3} />}
        {trial && <Differences trial={trial} isNew={isNew} />}
        {trial && !isNew && !isUnchanged && <LineChanges before={before} after={text} />}
        <RefusalBox refusal={refusal} />
        {trial && !isNew && (isLossy || isRefused || isForced) && (
          <CheckField label="Lose what is listed above" isOn={isForced} onChange={setForced} />
        )}
        {isApplying && !isNew && <ApplyProgress schema={schema} />}
        <div class="row wrap">
          <button type="button" class="button main" disabled={!canApply} onClick={() => void apply()}>
            {isApplying ? 'At work…' : isNew ? 'Register' : 'Apply the edit'}
          </button>
          {isNew && form === schemaForms.words && (
            <button type="button" class="button" onClick={() => setOfEvent(true)}>
              Begin with an event
            </button>
          )}
          {!isNew && (
            <button type="button" class="button" disabled={isUnchanged} onClick={() => setText(before)}>
              Undo all
            </button>
          )}
          {form === schemaForms.wire && !broken && !text.trim().includes('\n') && (
            <button type="button" class="button" onClick={() => setText(indented(text))}>
              Lay out
            </button>
          )}
          <a class="button quiet" href={isNew ? '/console/streams' : schemaAddress(schema)}>
            Leave
          </a>
        </div>
      </aside>
      {isOfEvent && (
        <BeginWithEvent
          onClose={() => setOfEvent(false)}
          onDefinition={(definition) => {
            setText(definition)
            setOfEvent(false)
          }}
        />
      )}
    </div>
  )
}

async function tryOut(
  isNew: boolean,
  { type }: SchemaForm,
  body: string,
  isForced: boolean,
  signal: AbortSignal,
): Promise<Trial | undefined> {
  const headers = { 'Content-Type': type }
  const asked = { body, headers, query: { dry: 1, ...(isForced && { force: 1 }) }, signal }
  const answer = isNew ? await call('POST /stream', asked) : await call('PUT /stream', asked)
  return 'dry' in answer ? answer : undefined
}

type ProblemsProps = {
  readonly problems: readonly (Problem & { readonly isNote?: boolean })[]
  readonly onChoose: (at: number) => void
}

function Problems({ problems, onChoose }: ProblemsProps) {
  return (
    <div role="status">
      {problems.length > 0 && (
        <ul class="problems">
          {problems.map(({ says, line, from, isNote }) => (
            <li key={`${from} ${says}`}>
              <button type="button" class={isNote ? 'is-note' : 'is-fault'} onClick={() => onChoose(from)}>
                <strong>Line {line}</strong>
                <span>{says}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

type Part = { readonly what: string; readonly name: string; readonly detail?: string; readonly num_events?: number }

/** The effects of the edit, in the words of the service. */
function Differences({ trial, isNew }: { readonly trial: Trial; readonly isNew: boolean }) {
  const changed = trial.would_change.map(({ what, name, from, to }) => ({ what, name, detail: `${from} → ${to}` }))
  const isEmpty = [trial.would_add, trial.would_change, trial.would_lose, trial.would_refuse].every(
    ({ length }) => length === 0,
  )
  return (
    <div class="stack tight differences">
      {isEmpty && <p class="soft">{isNew ? 'It is registered already, as it is.' : 'It would change nothing.'}</p>}
      {trial.would_refuse.length > 0 && (
        <section>
          <h2>It would be refused</h2>
          <ul>
            {trial.would_refuse.map((reason) => (
              <li key={reason} class="is-lost">
                {reason}
              </li>
            ))}
          </ul>
        </section>
      )}
      <Parts title={isNew ? 'It would make' : 'It would add'} sign="+" kind="is-added" parts={trial.would_add} />
      <Parts title="It would change" sign="~" kind="is-changed" parts={changed} />
      <Parts title="It would lose" sign="−" kind="is-lost" parts={trial.would_lose} />
      <Parts title="It would fill from the past" sign="↻" kind="is-filled" parts={trial.would_fill} />
    </div>
  )
}

type PartsProps = {
  readonly title: string
  readonly sign: string
  readonly kind: string
  readonly parts: readonly Part[]
}

const count = new Intl.NumberFormat('en')
/** Whatever is derived of a stream stands below it. */
const isStream = (what: string): boolean => what === 'stream'

function Parts({ title, sign, kind, parts }: PartsProps) {
  if (parts.length === 0) return null
  return (
    <section>
      <h2>{title}</h2>
      <ul>
        {parts.map(({ what, name, detail, num_events }) => (
          <li key={`${what} ${name} ${detail}`} class={isStream(what) ? kind : `${kind} is-part`}>
            <span aria-hidden="true">{sign}</span>
            <span>
              {what} <b class="mono">{name}</b>
              {detail !== undefined && <span class="soft"> {detail}</span>}
              {num_events !== undefined && <span class="soft"> · {count.format(num_events)} events</span>}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** How far the edit is that this page has asked for. */
function ApplyProgress({ schema }: { readonly schema: string }) {
  const info = useAnswer(
    (signal) => call('GET /stream/{schema}/info', { path: { schema }, query: { consistency: 'eventual' }, signal }),
    [schema],
    { every_ms: 1000 },
  )
  return info.value?.edit ? <SchemaProgress schema={schema} info={info.value} /> : <Skeleton lines={1} />
}
