import {
  acceptCompletion,
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete'
import { history, historyKeymap, standardKeymap } from '@codemirror/commands'
import { bracketMatching } from '@codemirror/language'
import { Annotation, Compartment, EditorState, Prec } from '@codemirror/state'
import { drawSelection, EditorView, keymap, lineNumbers, placeholder } from '@codemirror/view'
import { useEffect, useRef } from 'preact/hooks'
import type { Suggest, Suggestion } from './completion.ts'
import { faultLine, showFault } from './fault-line.ts'
import { type LanguageName, languages } from './languages.ts'
import type { PlacedFault } from './placed-fault.ts'
import { theme } from './theme.ts'

export type EditorProps = {
  readonly label: string
  readonly language: LanguageName
  readonly value: string
  readonly onInput: (value: string) => void
  /** Control or Command with Enter. */
  readonly onRun: () => void
  readonly suggest?: Suggest
  readonly fault?: PlacedFault | undefined
  readonly placeholder?: string
}

const kinds: Readonly<Record<Suggestion['kind'], string>> = {
  keyword: 'keyword',
  place: 'class',
  attribute: 'property',
  function: 'function',
  value: 'constant',
}

/**
 * An editor of statements. It stands in a shadow of its own: there its styles are style sheets that scripts construct,
 * which the page's Content-Security-Policy lets in, and no style elements, which it does not.
 */
export function Editor(props: EditorProps) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const latest = useRef(props)
  /** Texts that were handed over and have not come back as `value`: while a reader types, older ones come late. */
  const pending = useRef<string[]>([])
  latest.current = props
  const { value, language, fault } = props

  useEffect(() => {
    if (!host.current) return
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' })
    const made = new EditorView({
      root,
      parent: root,
      state: EditorState.create({ doc: latest.current.value, extensions: extensionsOf(latest, pending.current) }),
    })
    view.current = made
    return () => {
      made.destroy()
      view.current = undefined
    }
  }, [])

  useEffect(() => {
    const editor = view.current
    const typed = pending.current.indexOf(value)
    pending.current.splice(0, typed < 0 ? pending.current.length : typed + 1)
    if (!editor || typed >= 0 || editor.state.doc.toString() === value) return
    editor.dispatch({
      changes: { from: 0, to: editor.state.doc.length, insert: value },
      annotations: fromOutside.of(true),
    })
  }, [value])
  useEffect(() => {
    view.current?.dispatch({ effects: languageOf.reconfigure(languages[language]) })
  }, [language])
  useEffect(() => {
    view.current?.dispatch({ effects: showFault.of(fault) })
  }, [fault])

  return <div ref={host} class="editor" />
}

const languageOf = new Compartment()
const fromOutside = Annotation.define<boolean>()

function extensionsOf(latest: { readonly current: EditorProps }, pending: string[]) {
  const { label, language, placeholder: hint } = latest.current
  const run = (): boolean => {
    latest.current.onRun()
    return true
  }
  return [
    languageOf.of(languages[language]),
    lineNumbers(),
    history(),
    drawSelection(),
    bracketMatching(),
    closeBrackets(),
    autocompletion({
      override: [(context) => suggestions(latest.current.suggest, context)],
      icons: false,
      maxRenderedOptions: 60,
    }),
    faultLine,
    Prec.highest(keymap.of([{ key: 'Mod-Enter', run, stopPropagation: true }])),
    // Tab alone leaves the editor, as a reader with a keyboard expects; it takes a suggestion where one is open.
    keymap.of([
      { key: 'Tab', run: acceptCompletion },
      ...closeBracketsKeymap,
      ...standardKeymap,
      ...historyKeymap,
      ...completionKeymap,
    ]),
    EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0', autocapitalize: 'off', spellcheck: 'false' }),
    // A browser that replaces a selection itself keeps its look by a style attribute, which the page's policy forbids.
    EditorView.domEventHandlers({
      beforeinput({ inputType, data }, view) {
        const isReplacing = inputType === 'insertText' && data !== null && !view.state.selection.main.empty
        if (!isReplacing || view.composing) return false
        view.dispatch(view.state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true })
        return true
      },
    }),
    EditorView.updateListener.of((update) => {
      if (!update.docChanged || update.transactions.some((each) => each.annotation(fromOutside))) return
      const text = update.state.doc.toString()
      pending.push(text)
      latest.current.onInput(text)
    }),
    ...(hint === undefined ? [] : [placeholder(hint)]),
    theme,
  ]
}

async function suggestions(suggest: Suggest | undefined, context: CompletionContext): Promise<CompletionResult | null> {
  const found = await suggest?.(context.state.doc.toString(), context.pos)
  if (!found || found.options.length === 0 || context.aborted) return null
  // Nothing is typed yet: suggestions come when they are asked for, by Control and Space, or behind a blank or a dot.
  const before = context.state.sliceDoc(Math.max(0, context.pos - 1), context.pos)
  if (found.from === context.pos && !context.explicit && !/[\s.(:@]/.test(before)) return null
  return {
    from: found.from,
    validFor: /^[\w$]*$/,
    options: found.options.map(({ label, kind, detail, apply }, at) => ({
      label,
      type: kinds[kind],
      boost: -Math.min(at, 99),
      ...(detail !== undefined && { detail }),
      ...(apply !== undefined && { apply }),
    })),
  }
}
