const mark = ' ... '

/** A text of `most` characters at most: of a longer one its begin and its end. */
export function cutMiddle(text: string, most: number): string {
  if (text.length <= most) return text
  const half = Math.floor((most - mark.length) / 2)
  return `${text.slice(0, half)}${mark}${text.slice(-half)}`.toWellFormed()
}
