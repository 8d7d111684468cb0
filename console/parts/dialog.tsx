import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { Icon } from './icon.tsx'

export type DialogProps = {
  readonly title: string
  readonly isWide?: boolean
  /** Absent where the dialog cannot be left. */
  readonly onClose?: () => void
  readonly children: ComponentChildren
}

/** Shown for as long as it is there: a modal window that keeps the focus, and that Escape closes. */
export function Dialog({ title, isWide, onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const before = document.activeElement
    element.current?.showModal()
    element.current?.querySelector<HTMLElement>('.inside :is(input, select, textarea)')?.focus()
    return () => {
      element.current?.close()
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  return (
    <dialog
      ref={element}
      class={isWide ? 'dialog wide' : 'dialog'}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose?.()
      }}
    >
      <header>
        <h2 id={id}>{title}</h2>
        {onClose && (
          <button type="button" class="button quiet small" aria-label="Close" onClick={onClose}>
            <Icon name="close" />
          </button>
        )}
      </header>
      <div class="inside">{children}</div>
    </dialog>
  )
}
