const mark = ' ... '

/** A text of `max` characters at most: of a longer one its begin and its end. */
export function cutMiddle(text: string, max: number): string {
  if (text.length <= max) return text
  const half = Math.floor((max - mark.length) / 2)
  return `${text.slice(0, half)}${mark}${text.slice(-half)}`.toWellFormed()
}
