import { Code } from '../../parts/code.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Icon } from '../../parts/icon.tsx'

export type Made = {
  readonly name: string
  readonly id: string
  readonly key: string
  readonly notes: readonly string[]
}

/** The only time that a key is shown. */
export const MadeKey = ({ made, onClose }: { readonly made: Made; readonly onClose: () => void }) => (
  <Dialog title={`The key ${made.name}`} onClose={onClose}>
    <div class="stack">
      <p>It is shown this once, and kept nowhere: put it where it will be used.</p>
      <Code text={made.key} />
      {made.notes.map((note) => (
        <div key={note} class="notice warn">
          <Icon name="warning" />
          <p>{note}</p>
        </div>
      ))}
      <div class="actions">
        <button type="button" class="button main" onClick={onClose}>
          Done
        </button>
      </div>
    </div>
  </Dialog>
)
