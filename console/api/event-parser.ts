/** Server-sent events, as the HTML Standard reads them. */

export type LiveEvent = { readonly id: string; readonly event: string; readonly data: string }

/** Takes the text of a stream in pieces, cut anywhere; answers with the events that are whole by then. */
export function createEventParser(): (piece: string) => readonly LiveEvent[] {
  let rest = ''
  let [id, event] = ['', '']
  let data: string[] = []

  return (piece) => {
    const lines = (rest + piece).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    const events: LiveEvent[] = []
    for (const line of lines) {
      if (line === '') {
        if (data.length > 0) events.push({ id, event: event || 'message', data: data.join('\n') })
        event = ''
        data = []
        continue
      }
      const at = line.indexOf(':')
      const field = at < 0 ? line : line.slice(0, at)
      const value = at < 0 ? '' : line.slice(line[at + 1] === ' ' ? at + 2 : at + 1)
      if (field === 'data') data.push(value)
      else if (field === 'event') event = value
      else if (field === 'id') id = value
    }
    return events
  }
}
