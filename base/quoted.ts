/** A client's text inside a message: short, and on one line. */
export const quoted = (text: string): string => {
  const line = JSON.stringify(text.length > 64 ? `${text.slice(0, 61)}...` : text)
  return `'${line.slice(1, -1).replaceAll('\\"', '"')}'`
}
