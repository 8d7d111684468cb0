import { useState } from 'preact/hooks'
import { Icon } from './icon.tsx'

export type CopyButtonProps = {
  readonly text: string
  /** The name of the copied thing, for screen readers and where there is room. */
  readonly label?: string
  readonly isQuiet?: boolean
}

export function CopyButton({ text, label = 'Copy', isQuiet = false }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false)
  async function copy(): Promise<void> {
    await copyText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), 1500)
  }
  return (
    <button type="button" class={isQuiet ? 'button small quiet' : 'button small'} onClick={() => void copy()}>
      <Icon name={isCopied ? 'check' : 'copy'} />
      <span aria-live="polite">{isCopied ? 'Copied' : label}</span>
    </button>
  )
}

/** Browsers keep the clipboard from pages that come over plain http from another machine: there a selection is copied. */
async function copyText(text: string): Promise<void> {
  if (isSecureContext) return navigator.clipboard.writeText(text)
  const area = document.createElement('textarea')
  area.value = text
  document.body.append(area)
  area.select()
  document.execCommand('copy')
  area.remove()
}
