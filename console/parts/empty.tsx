import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from './icon.tsx'

export type EmptyProps = {
  readonly title: string
  readonly icon?: IconName
  /** The next step: a sentence, a button. */
  readonly children?: ComponentChildren
}

/** In the place of things that are not there yet. */
export function Empty({ title, icon, children }: EmptyProps) {
  return (
    <div class="empty">
      {icon && <Icon name={icon} />}
      <strong>{title}</strong>
      {children}
    </div>
  )
}
