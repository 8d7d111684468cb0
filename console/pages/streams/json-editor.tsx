import {
  autocompletion,
  type CompletionContext,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete'
import { history, historyKeymap, indentWithTab, standardKeymap } from '@codemirror/commands'
import { bracketMatching, HighlightStyle, indentUnit, StreamLanguage, syntaxHighlighting } from '@codemirror/language'
import { EditorState } from '@codemirror/state'
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { useEffect, useRef } from 'preact/hooks'
import { problemMarks, showProblems } from './problem-marks.ts'
import { cursor, type Offers } from './schema-completion.ts'
import type { Problem } from './schema-problems.ts'

type JsonEditorProps = {
  readonly label: string
  /** The first content; another object replaces the content, and typing leaves this one alone. */
  readonly begin: { readonly text: string }
  readonly onInput: (text: string) => void
  readonly problems: readonly (Problem & { readonly isNote?: boolean })[]
  readonly offers: (text: string, at: number) => Offers | undefined
  /** Where a reader wants to look: a new object each time. */
  readonly goTo?: { readonly at: number } | undefined
}

const json = StreamLanguage.define<{ depth: number }>({
  name: 'json',
  startState: () => ({ depth: 0 }),
  token(stream, state) {
    if (stream.eatSpace()) return null
    if (stream.match(/^"(?:[^"\\]|\\.)*"(?=\s*:)/)) return 'propertyName'
    if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return 'string'
    if (stream.match(/^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/)) return 'number'
    if (stream.match(/^(?:true|false|null)\b/)) return 'keyword'
    const mark = stream.next()
    if (mark === '{' || mark === '[') state.depth++
    else if (mark === '}' || mark === ']') state.depth = Math.max(0, state.depth - 1)
    return 'punctuation'
  },
  indent: ({ depth }, textAfter, { unit }) => unit * Math.max(0, depth - (/^\s*[}\]]/.test(textAfter) ? 1 : 0)),
})

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--series-6)' },
  { tag: tags.string, color: 'var(--series-5)' },
  { tag: tags.number, color: 'var(--series-2)' },
  { tag: tags.keyword, color: 'var(--series-2)' },
  { tag: tags.punctuation, color: 'var(--text-soft)' },
])

const selection = { background: 'color-mix(in srgb, var(--accent) 24%, transparent)' }
const theme = EditorView.theme({
  '&': { height: 'clamp(320px, 66vh, 800px)', fontSize: '13px', color: 'var(--text)', background: 'transparent' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.6' },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-gutters': { background: 'var(--sunken)', color: 'var(--text-faint)', borderRight: '1px solid var(--line)' },
  '.cm-activeLine, .cm-activeLineGutter': { background: 'color-mix(in srgb, var(--accent) 7%, transparent)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-selectionBackground': selection,
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': selection,
  '&.cm-focused .cm-matchingBracket': { background: 'var(--accent-soft)', outline: '1px solid var(--accent)' },
  '.cm-tooltip': {
    border: '1px solid var(--line-strong)',
    borderRadius: '6px',
    background: 'var(--raised)',
    color: 'var(--text)',
    boxShadow: 'var(--shadow)',
    overflow: 'hidden',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '4px 10px', fontFamily: 'var(--mono)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    background: 'var(--accent)',
    color: 'var(--on-accent)',
  },
  '.cm-completionDetail': { marginLeft: '1.2em', fontFamily: 'var(--font)', fontStyle: 'normal' },
})

/** A text of JSON with completion, and with what is wrong beside its lines. Tab indents; Escape, then Tab, leaves it. */
export function JsonEditor({ label, begin, onInput, problems, offers, goTo }: JsonEditorProps) {
  const container = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const latest = useRef({ onInput, offers })
  latest.current = { onInput, offers }

  useEffect(() => {
    if (!container.current) return
    // Within a shadow root the editor's styles are sheets that it adopts, which the page's policy on content allows.
    const root = container.current.shadowRoot ?? container.current.attachShadow({ mode: 'open' })
    const made = new EditorView({
      parent: root,
      root,
      state: EditorState.create({
        doc: begin.text,
        extensions: [
          lineNumbers(),
          problemMarks,
          history(),
          drawSelection(),
          highlightActiveLine(),
          bracketMatching(),
          closeBrackets(),
          indentUnit.of('  '),
          json,
          syntaxHighlighting(colours),
          theme,
          autocompletion({ override: [(context) => complete(context, latest.current.offers)], icons: false }),
          keymap.of([...closeBracketsKeymap, ...completionKeymap, ...historyKeymap, ...standardKeymap, indentWithTab]),
          EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', tabindex: '0' }),
          EditorView.domEventHandlers({ beforeinput: replaceSelection }),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (docChanged) latest.current.onInput(state.doc.toString())
          }),
        ],
      }),
    })
    view.current = made
    return () => made.destroy()
  }, [])

  useEffect(() => {
    const { current } = view
    if (!current || current.state.doc.toString() === begin.text) return
    current.dispatch({ changes: { from: 0, to: current.state.doc.length, insert: begin.text } })
  }, [begin])

  useEffect(() => {
    view.current?.dispatch({ effects: showProblems.of(problems) })
  }, [problems])

  useEffect(() => {
    const { current } = view
    if (!current || !goTo) return
    const anchor = Math.min(goTo.at, current.state.doc.length)
    current.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) })
    current.focus()
  }, [goTo])

  return <div ref={container} class="json-editor" />
}

/**
 * A browser that types over coloured text keeps its colour by an inline style, which the page's policy on content refuses: so
 * the editor replaces the text itself. Marks are left to it, as it may put them around the text.
 */
function replaceSelection(event: InputEvent, view: EditorView): boolean {
  const { data, inputType } = event
  if (inputType !== 'insertText' || !data || view.composing || view.state.selection.main.empty) return false
  if (/^["{}[\]]$/.test(data)) return false
  event.preventDefault()
  view.dispatch(view.state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true })
  return true
}

function complete(context: CompletionContext, offersOf: JsonEditorProps['offers']) {
  const found = offersOf(context.state.doc.toString(), context.pos)
  if (!found) return null
  const isEmpty = found.from === context.pos
  // Without a word nothing is offered unasked but behind an opening mark.
  if (
    isEmpty &&
    !context.explicit &&
    !/[{[,:]\s*$/.test(context.state.sliceDoc(Math.max(0, context.pos - 20), context.pos))
  )
    return null
  const isQuoted = context.state.sliceDoc(found.from, found.from + 1) === '"'
  return {
    from: found.from,
    filter: false,
    options: found.offers
      .filter(({ label }) => startsWith(label, context.state.sliceDoc(found.from, context.pos)))
      .map(({ label, text, detail, isRequired }) => ({
        label,
        detail: `${detail}${isRequired ? ' (required)' : ''}`,
        apply(view: EditorView, _: unknown, from: number, to: number) {
          const after = view.state.sliceDoc(to, to + 1)
          const end = isQuoted && after === '"' ? to + 1 : to
          const rest = text.indexOf(cursor)
          const insert = text.replace(cursor, '')
          view.dispatch({
            changes: { from, to: end, insert },
            selection: { anchor: from + (rest < 0 ? insert.length : rest) },
            userEvent: 'input.complete',
          })
        },
      })),
  }
}

const startsWith = (label: string, word: string): boolean =>
  label.toLowerCase().startsWith(word.replace(/^"/, '').replace(/"$/, '').toLowerCase())
