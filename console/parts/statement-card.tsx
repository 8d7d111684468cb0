import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import type { Refusal } from '../api/client.ts'
import { Dialog } from './dialog.tsx'
import { Editor, type EditorProps } from './editor/editor.tsx'
import { FaultText, markOf } from './editor/fault-text.tsx'
import { placedFault } from './editor/placed-fault.ts'
import { Elapsed } from './elapsed.tsx'
import { HelpLink } from './help-link.tsx'
import { Icon } from './icon.tsx'
import { RefusalBox } from './refusal-box.tsx'

export type StatementCardProps = Required<Pick<EditorProps, 'language' | 'suggest' | 'placeholder'>> & {
  readonly text: string
  readonly onInput: (text: string) => void
  readonly onRun: () => void
  readonly onCancel: () => void
  readonly run: { readonly refusal: Refusal | undefined; readonly since_ms: number }
  /** The state of its answer: it comes once, comes again and again, or neither. */
  readonly state: 'running' | 'live' | undefined
  /** The page that explains the language. */
  readonly help: string
  /** The subject of the statement. */
  readonly choices: ComponentChildren
  /** Buttons beside Run. */
  readonly children?: ComponentChildren
}

/** A statement that is written and run; the refusal of it stands where its text is at fault, else below. */
export function StatementCard(props: StatementCardProps) {
  const { language, suggest, placeholder, text, onInput, onRun, onCancel, run, state, help, choices, children } = props
  const { refusal, since_ms } = run
  const [reason] = refusal?.reasons ?? []
  // A refusal is about the text as it was sent: it goes with the next change.
  const refused = useMemo(() => text, [refusal])
  const placed = useMemo(() => (reason === undefined ? undefined : placedFault(reason)), [reason, refusal])
  const fault = text === refused ? placed : undefined
  const marks = useMemo(() => (fault ? [markOf(text, fault)] : []), [text, fault])
  return (
    <>
      <section class="card query-card" aria-label="Statement">
        <header>
          {choices}
          <HelpLink class="small" to={help}>
            How it is written
          </HelpLink>
          <span class="grow" />
          {state === undefined ? (
            <>
              {children}
              <button type="button" class="button main" disabled={text.trim() === ''} onClick={onRun}>
                <Icon name="play" />
                Run
                <kbd>{/Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl'} ↵</kbd>
              </button>
            </>
          ) : (
            <>
              {state === 'running' && <Elapsed since_ms={since_ms} />}
              <button type="button" class="button" onClick={onCancel}>
                <Icon name="close" />
                {state === 'live' ? 'Stop' : 'Cancel'}
              </button>
            </>
          )}
        </header>
        <Editor
          label="Statement"
          language={language}
          value={text}
          onInput={onInput}
          onRun={onRun}
          suggest={suggest}
          marks={marks}
          placeholder={placeholder}
        />
        {fault && <FaultText text={text} fault={fault} />}
      </section>
      {!fault && <RefusalBox refusal={placed ? undefined : refusal} />}
    </>
  )
}

type ChangeDialogProps = {
  /** The change that the statement makes. */
  readonly title: string
  readonly text: string
  readonly onClose: () => void
  readonly onRun: () => void
}

/** Asks before a statement changes something. */
export const ChangeDialog = ({ title, text, onClose, onRun }: ChangeDialogProps) => (
  <Dialog title={title} onClose={onClose}>
    <div class="stack">
      <pre class="answer-text">{text}</pre>
      <div class="actions">
        <button type="button" class="button" onClick={onClose}>
          Leave it
        </button>
        <button
          type="button"
          class="button danger"
          onClick={() => {
            onClose()
            onRun()
          }}
        >
          Run it
        </button>
      </div>
    </div>
  </Dialog>
)

/** Earlier statements, by a button of the page's head. */
export const HistoryButton = ({ onClick }: { readonly onClick: () => void }) => (
  <button type="button" class="button" onClick={onClick}>
    <Icon name="changes" />
    History
  </button>
)
