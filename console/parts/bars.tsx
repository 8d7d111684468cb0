import type { ComponentChildren } from 'preact'

export type Bar = {
  readonly name: string
  readonly share: number
  readonly says: string
  readonly note?: ComponentChildren
}

/** Named bars below each other, each with its figure; the longest one is 1. */
export const Bars = ({ bars, label }: { readonly bars: readonly Bar[]; readonly label: string }) => (
  <ul class="bars" aria-label={label}>
    {bars.map(({ name, share, says, note }) => (
      <li key={name}>
        <span class="bar-name" title={name}>
          {name}
        </span>
        <span class="bar-track">
          <span class="bar-fill" style={{ width: `${Math.max(0, Math.min(1, share)) * 100}%` }} />
        </span>
        <span class="bar-says">{says}</span>
        {note !== undefined && <span class="bar-note">{note}</span>}
      </li>
    ))}
  </ul>
)
