import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import type { ReplaceSchemaAnswer2 } from '../../api/calls.ts'
import { call, callText, Refusal } from '../../api/client.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Crumbs } from '../../parts/crumbs.tsx'
import { Editor } from '../../parts/editor/editor.tsx'
import { CheckField } from '../../parts/fields.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { schemaAddress } from './addresses.ts'
import { firstSchema } from './first-schema.ts'
import { LineChanges } from './line-changes.tsx'
import { offersAt, type Shapes } from './schema-completion.ts'
import { type Problem, problemsIn, syntaxProblem } from './schema-problems.ts'
import { SchemaProgress } from './schema-progress.tsx'
import { isObject } from './wire-schema.ts'

type Trial = ReplaceSchemaAnswer2

/** The service's answer to a text. */
type Checked = {
  readonly text: string
  readonly trial?: Trial | undefined
  readonly refusal?: Refusal
}

const pause_ms = 500

/** Registers a schema, or edits one: what an edit would do is shown before it is done. */
export function SchemaEditor({ schema }: { readonly schema?: string }) {
  const registered = useAnswer(
    async (signal) =>
      schema === undefined ? '' : callText('GET /stream/{schema}/schema', { path: { schema }, signal }),
    [schema ?? null],
  )
  const title = schema === undefined ? 'Register a schema' : `Edit ${schema}`
  return (
    <>
      <Crumbs
        steps={[
          ['Streams', '/console/streams'],
          ...(schema === undefined ? [] : [[schema, schemaAddress(schema)] as const]),
        ]}
      />
      <PageHead title={title} says="What it would do is shown here before it is done." />
      <RefusalBox refusal={registered.refusal} />
      {registered.value === undefined && !registered.refusal && <Skeleton lines={10} />}
      {registered.value !== undefined && (
        <Editing key={schema ?? ''} schema={schema} before={schema === undefined ? '' : indented(registered.value)} />
      )}
    </>
  )
}

/** A schema that came on one line is laid out; one that a person laid out stays as it is. */
function indented(text: string): string {
  if (text.trim().includes('\n')) return text
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return text
  }
}

type EditingProps = { readonly schema: string | undefined; readonly before: string }

function Editing({ schema, before }: EditingProps) {
  const { route } = useLocation()
  const [text, setText] = useState(before === '' ? firstSchema : before)
  const [checked, setChecked] = useState<Checked>()
  const [goTo, setGoTo] = useState<{ readonly at: number }>()
  const [isForced, setForced] = useState(false)
  const [isApplying, setApplying] = useState(false)
  const [refusal, setRefusal] = useState<Refusal>()
  const shapes = useShapes()
  const isNew = schema === undefined

  const broken = useMemo(() => syntaxProblem(text), [text])
  const isUnchanged = !isNew && text === before

  useEffect(() => {
    setForced(false)
    setRefusal(undefined)
  }, [text])

  useEffect(() => {
    if (broken || isUnchanged) return
    const gone = new AbortController()
    const timer = setTimeout(async () => {
      try {
        setChecked({ text, trial: await tryOut(isNew, text, isForced, gone.signal) })
      } catch (error) {
        if (gone.signal.aborted) return
        if (error instanceof Refusal) setChecked({ text, refusal: error })
      }
    }, pause_ms)
    return () => {
      clearTimeout(timer)
      gone.abort()
    }
  }, [text, broken, isUnchanged, isNew, isForced])

  const isChecked = checked?.text === text && !broken
  const trial = isChecked ? checked.trial : undefined
  const problems = useMemo(() => {
    if (broken) return [broken]
    if (checked?.text !== text) return []
    if (checked.refusal) return problemsIn(text, checked.refusal.reasons)
    return problemsIn(text, checked.trial?.error ?? []).map((each) => ({ ...each, isNote: true }))
  }, [broken, checked, text])

  const isLossy = (trial?.would_lose.length ?? 0) > 0
  const isRefused = (trial?.would_refuse.length ?? 0) > 0
  const canApply = trial !== undefined && !isUnchanged && !isApplying && !isRefused && (!isLossy || isForced)

  async function apply(): Promise<void> {
    setApplying(true)
    setRefusal(undefined)
    try {
      if (isNew) await call('POST /stream', { body: text, headers: asJson })
      else await call('PUT /stream', { body: text, headers: asJson, query: isForced ? { force: 1 } : {} })
      route(schemaAddress(nameIn(text) ?? schema ?? ''))
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
          language="json"
          value={text}
          onInput={setText}
          marks={problems}
          suggest={(of, at) => offersAt(of, at, shapes ?? {}, shapes?.RegisterSchemaBody)}
          goTo={goTo}
          indents
        />
      </div>
      <aside class="stack" aria-label="What it would do">
        <Problems problems={problems} onChoose={(at) => setGoTo({ at })} />
        {isUnchanged && (
          <p class="soft">Nothing is changed yet. Ctrl and space shows what may be written where the cursor is.</p>
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
          {!isNew && (
            <button type="button" class="button" disabled={isUnchanged} onClick={() => setText(before)}>
              Undo all
            </button>
          )}
          {!broken && !text.trim().includes('\n') && (
            <button type="button" class="button" onClick={() => setText(indented(text))}>
              Lay out
            </button>
          )}
          <a class="button quiet" href={isNew ? '/console/streams' : schemaAddress(schema)}>
            Leave
          </a>
        </div>
      </aside>
    </div>
  )
}

const asJson = { 'Content-Type': 'application/json' }

async function tryOut(
  isNew: boolean,
  body: string,
  isForced: boolean,
  signal: AbortSignal,
): Promise<Trial | undefined> {
  const asked = { body, headers: asJson, query: { dry: 1, ...(isForced && { force: 1 }) }, signal }
  const answer = isNew ? await call('POST /stream', asked) : await call('PUT /stream', asked)
  return 'dry' in answer ? answer : undefined
}

function nameIn(text: string): string | undefined {
  const value: unknown = JSON.parse(text)
  return isObject(value) && typeof value.schema === 'string' ? value.schema : undefined
}

/** The shapes of a schema's parts, from the service's own document. */
function useShapes(): Shapes | undefined {
  const latest = useRef<Shapes>(undefined)
  const answer = useAnswer(async (signal) => {
    const document: unknown = JSON.parse(await callText('GET /openapi.json', { signal }))
    const components = isObject(document) && isObject(document.components) ? document.components.schemas : undefined
    return components as Shapes | undefined // a document of OpenAPI has JSON schemas there
  }, [])
  latest.current = answer.value ?? latest.current
  return latest.current
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

function Parts({ title, sign, kind, parts }: PartsProps) {
  if (parts.length === 0) return null
  return (
    <section>
      <h2>{title}</h2>
      <ul>
        {parts.map(({ what, name, detail, num_events }) => (
          <li key={`${what} ${name} ${detail}`} class={kind}>
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
