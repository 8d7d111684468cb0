import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useAnswer } from '../api/use-answer.ts'
import { Dialog } from './dialog.tsx'
import { Skeleton } from './skeleton.tsx'

type HelpLinkProps = {
  /** A page of the documentation and a part of it, such as `streams#queries`. */
  readonly to: string
  readonly class?: string
  readonly children: ComponentChildren
}

const isPlain = (event: MouseEvent): boolean =>
  !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0

/** A link to the documentation, which opens over the page: a reader keeps what is written there. */
export function HelpLink({ to, class: look, children }: HelpLinkProps) {
  const [shown, setShown] = useState<string>()
  return (
    <>
      <a
        class={look}
        href={`/console/help/${to}`}
        target="_blank"
        rel="noreferrer"
        onClick={(event) => {
          if (!isPlain(event)) return
          event.preventDefault()
          setShown(to)
        }}
      >
        {children}
      </a>
      {shown !== undefined && <HelpDialog to={shown} onGo={setShown} onClose={() => setShown(undefined)} />}
    </>
  )
}

type HelpDialogProps = {
  readonly to: string
  readonly onGo: (to: string) => void
  readonly onClose: () => void
}

/** Links from page to page stay in the dialog. */
function HelpDialog({ to, onGo, onClose }: HelpDialogProps) {
  const part = useAnswer(async () => (await import('./documentation.tsx')).HelpArticle, [])
  const [name = '', place = ''] = to.split('#')
  const HelpArticle = part.value
  const follow = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    const address = link?.getAttribute('href') ?? ''
    if (!isPlain(event) || link?.target === '_blank' || !/^(?:\/console\/help\/|#)/.test(address)) return
    event.preventDefault()
    event.stopPropagation()
    onGo(address.startsWith('#') ? `${name}${address}` : address.replace('/console/help/', ''))
  }
  return (
    <Dialog title="Help" onClose={onClose} isWide>
      <div onClickCapture={follow}>
        {HelpArticle ? <HelpArticle name={name} place={decodeURIComponent(place)} /> : <Skeleton lines={12} />}
        <p class="small">
          <a href={`/console/help/${to}`} target="_blank" rel="noreferrer">
            Open as a page
          </a>
        </p>
      </div>
    </Dialog>
  )
}
