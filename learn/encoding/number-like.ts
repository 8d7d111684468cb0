/** A way to write numbers that is none of a CSV's: what people call it, and how it is written plainly. */
export type NumberLike = { readonly name: string; readonly plain: string; readonly pattern: RegExp }

const ways: readonly NumberLike[] = [
  { name: 'percentages', plain: 'without the sign', pattern: /^[-+]?\d[\d.,]*\s?%$/ },
  {
    name: 'amounts of money',
    plain: 'without the currency',
    pattern: /^[-+]?\p{Sc}\s?[-+]?\d[\d.,]*$|^[-+]?\d[\d.,]*\s?\p{Sc}$/u,
  },
  {
    name: 'numbers with marks between thousands',
    plain: 'without these',
    pattern: /^[-+]?\d{1,3}(?:(?:,\d{3})+|(?:[ '\u00a0\u202f]\d{3})+)(?:\.\d+)?$/,
  },
  { name: 'numbers with a decimal comma', plain: 'with a point', pattern: /^[-+]?\d[\d.]*,\d+$/ },
  { name: 'hexadecimal numbers', plain: 'in decimals', pattern: /^0x[\da-f]+$/i },
  { name: 'times of day', plain: 'as one number, such as minutes', pattern: /^\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?$/ },
  { name: 'numbers with a unit', plain: 'without it', pattern: /^[-+]?\d[\d.,]*\s?[\p{L}\u00b0\u00b5\u03bc]{1,5}$/u },
  {
    name: 'dates',
    plain: 'as 2024-01-31',
    pattern: /^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}(?:[ T].*)?$/,
  },
]

/** The way in which a text that is no number may still be meant as one. */
export function looksLike(text: string): NumberLike | undefined {
  const plain = text.trim()
  return plain.length > 40 || !/\d/.test(plain) ? undefined : ways.find(({ pattern }) => pattern.test(plain))
}
