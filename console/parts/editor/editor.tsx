import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { cursor, matching, type Suggest, type Suggestion } from './completion.ts'
import type { LanguageName } from './languages.ts'
import { lineAt, linesOf, type Mark, type Piece } from './lines.ts'

export type EditorProps = {
  readonly label: string
  readonly language: LanguageName
  readonly value: string
  readonly onInput: (value: string) => void
  /** Control or Command with Enter. */
  readonly onRun?: () => void
  readonly suggest?: Suggest | undefined
  readonly marks?: readonly Mark[]
  readonly placeholder?: string
  /** Whether Tab indents: Escape, then Tab, leaves the editor. Else Tab leaves it, as a reader with a keyboard expects. */
  readonly indents?: boolean
  /** The place where a reader wants to look: a new object each time. */
  readonly goTo?: { readonly at: number } | undefined
}

type Offered = {
  readonly from: number
  readonly options: readonly Suggestion[]
  /** The one that Enter takes; none before an arrow where nothing is written yet. */
  readonly chosen: number
  readonly left: number
  readonly top: number
}

/** A longer text has neither colours nor suggestions. */
const maxLines = 5000
const none: readonly Mark[] = []

/**
 * A text with colours, marks and suggestions. The field is a textarea, which brings selection, undoing, spelling and whatever a
 * reader's device needs; its text is not drawn, and the same text stands in colours exactly below it.
 */
export function Editor(props: EditorProps) {
  const { label, language, value, placeholder, marks = none, goTo } = props
  const field = useRef<HTMLTextAreaElement>(null)
  const drawn = useRef<HTMLPreElement>(null)
  const id = useId()
  const [text, setText] = useState(value)
  const [offered, setOffered] = useState<Offered>()
  const [isLeaving, setLeaving] = useState(false)
  /** Texts that were handed over and have not come back as `value`: while a reader types, older ones come late. */
  const pending = useRef<string[]>([])
  const turn = useRef(0)
  const isTaking = useRef(false)

  useLayoutEffect(() => {
    const typed = pending.current.indexOf(value)
    pending.current.splice(0, typed < 0 ? pending.current.length : typed + 1)
    if (typed >= 0 || field.current?.value === value) return
    if (field.current) field.current.value = value
    setText(value)
    setOffered(undefined)
  }, [value])

  useEffect(() => {
    const { current } = field
    if (!current || !goTo) return
    const at = Math.min(goTo.at, current.value.length)
    current.focus()
    current.setSelectionRange(at, at)
    drawn.current?.children[lineAt(current.value, at)]?.scrollIntoView({ block: 'nearest' })
  }, [goTo])

  const count = useMemo(() => text.split('\n').length, [text])
  const isPlain = count > maxLines
  const lines = useMemo(() => (isPlain ? undefined : linesOf(language, text, marks)), [language, text, marks, isPlain])

  async function offer(isExplicit: boolean): Promise<void> {
    const asked = ++turn.current
    const { current } = field
    if (!current || isPlain || current.selectionStart !== current.selectionEnd) return setOffered(undefined)
    const [written, at] = [current.value, current.selectionStart]
    const found = await props.suggest?.(written, at)
    if (asked !== turn.current || current.value !== written || current.selectionStart !== at) return
    const isEmpty = found?.from === at
    // Nothing is written yet: suggestions come when they are asked for, or behind a mark that begins something.
    const isWanted = isExplicit || !isEmpty || /[\s.(:@{[,]/.test(written.slice(at - 1, at))
    const options = found && isWanted ? matching(found, written.slice(found.from, at)) : []
    const place = options.length > 0 ? placeOf(drawn.current, written, found?.from ?? at) : undefined
    if (!found || !place) return setOffered(undefined)
    setOffered({ from: found.from, options, chosen: isEmpty && !isExplicit ? -1 : 0, ...place })
  }

  function onInput(): void {
    const { current } = field
    if (!current) return
    pending.current.push(current.value)
    setText(current.value)
    props.onInput(current.value)
    if (!isTaking.current) void offer(false)
  }

  /** As if it were typed, so that it can be undone; the events of the field follow. */
  function write(from: number, to: number, inserted: string): void {
    const { current } = field
    if (!current) return
    const rest = inserted.indexOf(cursor)
    const clean = inserted.replace(cursor, '')
    current.focus()
    current.setSelectionRange(from, to)
    const isDone = clean === '' ? document.execCommand('delete') : document.execCommand('insertText', false, clean)
    if (!isDone) {
      current.setRangeText(clean, from, to, 'end')
      onInput()
    }
    if (rest >= 0) current.setSelectionRange(from + rest, from + rest)
  }

  function take({ label: name, apply = name }: Suggestion): void {
    const { current } = field
    if (!current || !offered) return
    // A closing quotation mark that is there already is not written twice.
    const isQuoted = /["']/.test(current.value.slice(offered.from, offered.from + 1))
    const end = current.selectionEnd
    const isClosed = isQuoted && current.value[end] === current.value[offered.from]
    setOffered(undefined)
    // A suggestion is whole, but for a name that goes on behind its dot.
    isTaking.current = !apply.endsWith('.')
    write(offered.from, isClosed ? end + 1 : end, apply)
    isTaking.current = false
  }

  function choose(step: number): void {
    if (!offered) return
    const { length } = offered.options
    setOffered({ ...offered, chosen: (Math.max(offered.chosen, step > 0 ? -1 : 0) + step + length) % length })
  }

  function onKeyDown(event: KeyboardEvent): void {
    const { current } = field
    if (!current || event.isComposing) return
    const { key, ctrlKey, metaKey, altKey, shiftKey } = event
    const hasControl = ctrlKey || metaKey
    const chosen = offered?.options[offered.chosen]
    if (key !== 'Tab' && key !== 'Shift') setLeaving(key === 'Escape')
    if (hasControl && key === 'Enter' && props.onRun) props.onRun()
    else if (ctrlKey && key === ' ') void offer(true)
    else if (offered && key === 'Escape') setOffered(undefined)
    else if (offered && (key === 'ArrowDown' || key === 'ArrowUp')) choose(key === 'ArrowDown' ? 1 : -1)
    else if (chosen && (key === 'Enter' || key === 'Tab') && !hasControl && !shiftKey) take(chosen)
    else if (key === 'Enter' && !hasControl && !altKey) newLine(current)
    else if (key === 'Tab' && props.indents && !isLeaving && !hasControl && !altKey) indent(current, shiftKey)
    else {
      if (/^(?:Arrow|Home|End|Page)/.test(key)) setOffered(undefined)
      return
    }
    event.preventDefault()
    event.stopPropagation()
  }

  /** Begins a line as far in as the one before it, and farther behind a mark that opens something. */
  function newLine({ value: written, selectionStart, selectionEnd }: HTMLTextAreaElement): void {
    const before = written.slice(written.lastIndexOf('\n', selectionStart - 1) + 1, selectionStart)
    const [margin = ''] = /^[ \t]*/.exec(before) ?? []
    write(selectionStart, selectionEnd, `\n${margin}${/[:{[(]\s*$/.test(before) && props.indents ? '  ' : ''}`)
  }

  function indent({ value: written, selectionStart, selectionEnd }: HTMLTextAreaElement, isBack: boolean): void {
    if (selectionStart === selectionEnd && !isBack) {
      write(selectionStart, selectionEnd, '  ')
      return
    }
    const from = written.lastIndexOf('\n', selectionStart - 1) + 1
    const moved = written
      .slice(from, selectionEnd)
      .split('\n')
      .map((line) => (isBack ? line.replace(/^ {1,2}/, '') : `  ${line}`))
      .join('\n')
    write(from, selectionEnd, moved)
    field.current?.setSelectionRange(from, from + moved.length)
  }

  return (
    <div
      class={`editor ${isPlain ? 'is-plain' : ''} ${props.indents ? 'is-tall' : ''}`}
      onScroll={() => setOffered(undefined)}
    >
      <div class="editor-gutter" aria-hidden="true">
        {Array.from({ length: count }, (_, line) => line + 1).join('\n')}
        {marks.map((mark) => (
          <span
            key={`${mark.from} ${mark.says}`}
            class={mark.isNote ? 'editor-sign is-note' : 'editor-sign'}
            style={{ top: `calc(10px + ${lineAt(text, mark.from)} * var(--line-height))` }}
            title={mark.says}
          />
        ))}
      </div>
      <div class="editor-body">
        <pre ref={drawn} aria-hidden="true">
          {lines ? lines.map((pieces, line) => <Line key={line} pieces={pieces} />) : text}
        </pre>
        <textarea
          ref={field}
          aria-label={label}
          aria-autocomplete={props.suggest ? 'list' : undefined}
          aria-controls={offered ? id : undefined}
          aria-activedescendant={offered && offered.chosen >= 0 ? `${id}-${offered.chosen}` : undefined}
          defaultValue={value}
          placeholder={placeholder}
          wrap="off"
          spellcheck={false}
          autocapitalize="off"
          autocomplete="off"
          onInput={onInput}
          onKeyDown={onKeyDown}
          onPointerDown={() => setOffered(undefined)}
          onBlur={() => setOffered(undefined)}
        />
      </div>
      {offered && <Suggestions id={id} offered={offered} onTake={take} />}
    </div>
  )
}

type SuggestionsProps = {
  readonly id: string
  readonly offered: Offered
  readonly onTake: (option: Suggestion) => void
}

/** The list below the text, from which a reader takes one. */
function Suggestions({ id, offered, onTake }: SuggestionsProps) {
  const list = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [offered])
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label="Suggestions"
      class="editor-list"
      style={{ left: `${offered.left}px`, top: `${offered.top}px` }}
    >
      {offered.options.map((option, place) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus, and names the option that Enter takes
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys
        <div
          key={`${option.kind} ${option.label}`}
          id={`${id}-${place}`}
          role="option"
          class="editor-option"
          aria-selected={place === offered.chosen}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onTake(option)}
        >
          {option.label}
          {option.detail !== undefined && option.detail !== '' && <span class="soft"> {option.detail}</span>}
        </div>
      ))}
    </div>
  )
}

/** A line is drawn anew where it has changed. */
function Line({ pieces }: { readonly pieces: readonly Piece[] }) {
  const same = JSON.stringify(pieces)
  return useMemo(
    () => (
      <div>
        {pieces.map(({ text, look, says }, place) => (
          <span key={place} class={look === '' ? undefined : look} title={says}>
            {text}
          </span>
        ))}
      </div>
    ),
    [same],
  )
}

const listSize = { width: 320, height: 250 }

/** The place in the window below a character of the text, or above it where there is no room. */
function placeOf(drawn: HTMLElement | null, text: string, at: number): { left: number; top: number } | undefined {
  const line = drawn?.children[lineAt(text, at)]
  if (!line) return undefined
  const range = document.createRange()
  range.selectNodeContents(line)
  let rest = at - (text.lastIndexOf('\n', at - 1) + 1)
  for (const piece of line.children) {
    const node = piece.firstChild
    const length = node?.textContent?.length ?? 0
    if (node && rest <= length) {
      range.setStart(node, rest)
      range.collapse(true)
      break
    }
    rest -= length
  }
  const row = line.getBoundingClientRect()
  const place = line.children.length > 0 ? range.getBoundingClientRect() : row
  const isBelow = row.bottom + listSize.height < innerHeight || row.top < listSize.height
  return {
    left: Math.max(4, Math.min(place.left, innerWidth - listSize.width - 4)),
    top: isBelow ? row.bottom + 2 : row.top - listSize.height - 2,
  }
}
