import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'

export type TabsProps<Name extends string> = {
  readonly label: string
  readonly tabs: readonly (readonly [name: Name, text: ComponentChildren])[]
  readonly chosen: Name
  readonly onChoose: (name: Name) => void
  /** The content of the chosen tab. */
  readonly children: ComponentChildren
}

/** Tabs after the ARIA pattern: one stop for Tab, arrows go from one to the next. */
export function Tabs<Name extends string>({ label, tabs, chosen, onChoose, children }: TabsProps<Name>) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)

  function onKeyDown(event: KeyboardEvent): void {
    const at = tabs.findIndex(([name]) => name === chosen)
    const last = tabs.length - 1
    const next = { ArrowRight: at === last ? 0 : at + 1, ArrowLeft: at === 0 ? last : at - 1, Home: 0, End: last }[
      event.key
    ]
    const wanted = next === undefined ? undefined : tabs[next]
    if (next === undefined || !wanted) return
    event.preventDefault()
    onChoose(wanted[0])
    const tab = list.current?.children[next]
    if (tab instanceof HTMLElement) tab.focus()
  }

  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={onKeyDown}>
        {tabs.map(([name, text]) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${name}`}
            aria-selected={name === chosen}
            aria-controls={name === chosen ? `${id}-panel` : undefined}
            tabIndex={name === chosen ? 0 : -1}
            onClick={() => onChoose(name)}
          >
            {text}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen}`}>
        {children}
      </div>
    </>
  )
}
