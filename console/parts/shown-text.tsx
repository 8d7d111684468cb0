import type { ComponentChildren } from 'preact'

/** Controls, and invisible characters, by which a text may pass for another; not those that join letters and emoji. */
const hidden = /(\r\n|[\p{Cc}\p{Bidi_Control}\u200b\u2028\u2029\u2060\ufeff])/u

const pictures: Readonly<Record<string, string>> = { '\n': '⏎', '\r\n': '⏎', '\t': '⇥' }

const pictured = (control: string): string =>
  pictures[control] ?? `U+${(control.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

/** A text of data on one line: isolated from what stands beside it, with its line breaks and hidden characters to be seen. */
export const shownText = (text: string): ComponentChildren => (
  <bdi>
    {text
      .split(hidden)
      .map((piece, at) => (at % 2 === 0 ? piece : <span class="hidden-character">{pictured(piece)}</span>))}
  </bdi>
)
