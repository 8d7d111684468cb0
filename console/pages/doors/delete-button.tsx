import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { Dialog } from '../../parts/dialog.tsx'
import { Icon } from '../../parts/icon.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { useAction } from '../../parts/use-action.ts'

type DeleteButtonProps = {
  readonly name: string
  /** The consequence, in a sentence. */
  readonly says: string
  readonly remove: () => Promise<unknown>
}

/** Deletes a door, behind a question; its events stay. */
export function DeleteButton({ name, says, remove }: DeleteButtonProps) {
  const [isAsking, setAsking] = useState(false)
  const removal = useAction()
  const { route } = useLocation()
  const go = () =>
    removal.run(async () => {
      await remove()
      route('/console/doors')
    })
  return (
    <>
      <button type="button" class="button" onClick={() => setAsking(true)}>
        <Icon name="trash" />
        Delete
      </button>
      {isAsking && (
        <Dialog title={`Delete ${name}?`} onClose={() => setAsking(false)}>
          <p>{says} The events that came stay.</p>
          <RefusalBox refusal={removal.refusal} />
          <div class="actions">
            <button type="button" class="button" onClick={() => setAsking(false)}>
              Keep it
            </button>
            <button type="button" class="button danger" disabled={removal.isRunning} onClick={() => void go()}>
              Delete it
            </button>
          </div>
        </Dialog>
      )}
    </>
  )
}
