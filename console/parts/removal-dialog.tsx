import { useState } from 'preact/hooks'
import { useAnswer } from '../api/use-answer.ts'
import { Dialog } from './dialog.tsx'
import { CheckField } from './fields.tsx'
import { formatCount } from './format.ts'
import { RefusalBox } from './refusal-box.tsx'
import { Skeleton } from './skeleton.tsx'
import { useAction } from './use-action.ts'

type WouldGo = { readonly would_delete: readonly { readonly name: string; readonly num_events: number }[] }

export type RemovalDialogProps = {
  readonly title: string
  /** The things that would go, by the call's own dry run. */
  readonly dryRun: (signal: AbortSignal) => Promise<WouldGo>
  /** `undo` is the number of hours for which what goes is kept; absent where it cannot be. */
  readonly remove: (undo: number | undefined) => Promise<void>
  readonly canUndo: boolean
  /** Of the counted things, such as "records". */
  readonly things: string
  readonly onClose: () => void
  readonly onGone: () => void
}

const undo_h = 24

/** Says what a deletion takes before it is done. */
export function RemovalDialog(props: RemovalDialogProps) {
  const { title, dryRun, remove, canUndo, things, onClose, onGone } = props
  const [isUndoable, setUndoable] = useState(true)
  const would = useAnswer(dryRun, [title])
  const removal = useAction()
  const go = async () => {
    if (await removal.run(() => remove(canUndo && isUndoable ? undo_h : undefined))) onGone()
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="stack">
        {would.value ? (
          <ul>
            {would.value.would_delete.map(({ name, num_events }) => (
              <li key={name} class="row spread">
                <span class="mono">{name}</span>
                <span class="soft">
                  {formatCount(num_events)} {things}
                </span>
              </li>
            ))}
          </ul>
        ) : (
          !would.refusal && <Skeleton lines={2} />
        )}
        {canUndo ? (
          <CheckField
            label={`Keep it for ${undo_h} hours, to be brought back (on the page of Changes)`}
            isOn={isUndoable}
            onChange={setUndoable}
          />
        ) : (
          <p>It cannot be brought back.</p>
        )}
        <RefusalBox refusal={would.refusal ?? removal.refusal} />
      </div>
      <div class="actions">
        <button type="button" class="button" onClick={onClose}>
          Keep it
        </button>
        <button
          type="button"
          class="button danger"
          disabled={removal.isRunning || would.value === undefined}
          onClick={() => void go()}
        >
          Remove it
        </button>
      </div>
    </Dialog>
  )
}
