import { useId, useState } from 'preact/hooks'
import { Icon } from './icon.tsx'

type DropZoneProps = {
  readonly label: string
  readonly hint?: string
  /** As in a file field, such as `.csv`. */
  readonly accept?: string
  readonly isMany?: boolean
  readonly isOff?: boolean
  readonly onFiles: (files: readonly File[]) => void
}

/** Files are dropped here, or chosen by a click or by Enter. */
export function DropZone({ label, hint, accept, isMany = false, isOff = false, onFiles }: DropZoneProps) {
  const id = useId()
  const [isOver, setOver] = useState(false)
  const take = (files: FileList | null | undefined) => {
    if (files && files.length > 0 && !isOff) onFiles([...files].slice(0, isMany ? files.length : 1))
  }
  return (
    <label
      for={id}
      class={`drop-zone ${isOver ? 'over' : ''} ${isOff ? 'off' : ''}`}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        take(event.dataTransfer?.files)
      }}
    >
      <Icon name="upload" />
      <span>
        <strong>{label}</strong>
        <span class="small soft"> or drop {isMany ? 'them' : 'it'} here</span>
        {hint !== undefined && <span class="small faint hint">{hint}</span>}
      </span>
      <input
        id={id}
        class="visually-hidden"
        type="file"
        accept={accept}
        multiple={isMany}
        disabled={isOff}
        onChange={(event) => {
          take(event.currentTarget.files)
          event.currentTarget.value = ''
        }}
      />
    </label>
  )
}
