import { useState } from 'preact/hooks'
import { Icon } from './icon.tsx'
import { RemovalDialog, type RemovalDialogProps } from './removal-dialog.tsx'

/** Removes something, behind a question that says what goes. */
export function RemoveButton({ onGone, ...props }: Omit<RemovalDialogProps, 'onClose'>) {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <button type="button" class="button" onClick={() => setAsking(true)}>
        <Icon name="trash" />
        Remove
      </button>
      {isAsking && (
        <RemovalDialog
          {...props}
          onClose={() => setAsking(false)}
          onGone={() => {
            setAsking(false)
            onGone()
          }}
        />
      )}
    </>
  )
}
