import { useMemo } from 'preact/hooks'
import { changedParts, lineDiff } from './line-diff.ts'

/** The lines by which two texts differ. */
export function LineChanges({ before, after }: { readonly before: string; readonly after: string }) {
  const parts = useMemo(() => changedParts(lineDiff(before, after)), [before, after])
  return (
    <details class="line-changes">
      <summary>Lines that differ</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <section class="scrolls" tabIndex={0} aria-label="Lines that differ">
        {parts.map((line, index) =>
          line === undefined ? (
            <div key={index} class="is-gap">
              …
            </div>
          ) : (
            <div key={index} class={`is-${line.kind}`}>
              <span class="visually-hidden">{{ same: '', added: 'added: ', lost: 'lost: ' }[line.kind]}</span>
              <span aria-hidden="true">{{ same: ' ', added: '+', lost: '−' }[line.kind]}</span>
              {line.text}
            </div>
          ),
        )}
      </section>
    </details>
  )
}
