import type { ComponentChildren } from 'preact'
import { Scrolls } from './scrolls.tsx'

/** The head of a column: of text, of numbers, or one that only screen readers say. */
export type Head = string | { readonly number: string } | { readonly hidden: string }

export type TableProps = {
  /** The content of the table in words, for screen readers. */
  readonly label: string
  readonly heads: readonly Head[]
  readonly class?: string
  /** The rows of the table. */
  readonly children: ComponentChildren
}

/** A plain table, which scrolls by itself where the window is narrow. */
export const Table = ({ label, heads, class: more = '', children }: TableProps) => (
  <Scrolls label={label}>
    <table class={`table ${more}`}>
      <caption class="visually-hidden">{label}</caption>
      <thead>
        <tr>
          {heads.map((head, place) => (
            <th key={place} scope="col" class={typeof head !== 'string' && 'number' in head ? 'number' : undefined}>
              {typeof head === 'string' ? (
                head
              ) : 'number' in head ? (
                head.number
              ) : (
                <span class="visually-hidden">{head.hidden}</span>
              )}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </Scrolls>
)
