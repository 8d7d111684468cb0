/** From here on a text is looked over before it is parsed. */
const longText = 1024 * 1024
/** V8 spends seconds, and a gigabyte, on millions of brackets that are open at once. */
const mostOpen = 100_000

const [quote, backslash, bracket, bracketEnd, brace, braceEnd] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d]

/** Whether a text has so many brackets open at once that it is not to be parsed; short ones are. */
export function opensTooMuch(text: string): boolean {
  if (text.length < longText) return false
  let open = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      at = endOfString(text, at)
    } else if (code === bracket || code === brace) {
      if (++open > mostOpen) return true
    } else if (code === bracketEnd || code === braceEnd) open--
  }
  return false
}

/** The place of the quote that ends the string at `start`; the text's end where none does. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end
}

function isEscaped(text: string, place: number): boolean {
  let before = place
  while (text.charCodeAt(before - 1) === backslash) before--
  return (place - before) % 2 === 1
}
