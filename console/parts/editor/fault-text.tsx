import type { Mark } from './lines.ts'
import type { PlacedFault } from './placed-fault.ts'

/** The word at a place. */
export function markOf(text: string, { line, column, message }: PlacedFault): Mark {
  const lines = text.split('\n')
  const from = lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0) + column - 1
  const [word = ''] = /^[\w.$]+|^./.exec(text.slice(from)) ?? []
  return { from, to: from + word.length, says: message }
}

/** A caret farther to the right than this would be out of view: the line then begins later. */
const maxIndent = 48

/** The reason below a caret at the place, with its line where there are several. */
export function FaultText({
  text,
  fault: { line, column, message },
}: {
  readonly text: string
  readonly fault: PlacedFault
}) {
  const written = text.split('\n')[line - 1] ?? ''
  const from = Math.max(0, column - 1 - maxIndent)
  return (
    <div role="alert" class="editor-fault">
      <span class="visually-hidden">
        Line {line}, column {column}:{' '}
      </span>
      <span aria-hidden="true" class="soft">
        {`${written.slice(from, from + 2 * maxIndent)}\n${' '.repeat(column - 1 - from)}^\n`}
      </span>
      {message}
    </div>
  )
}
