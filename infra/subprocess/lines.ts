import { StringDecoder } from 'node:string_decoder'

const isControl = /[\p{Cc}\u2028\u2029]/gu
// biome-ignore lint/suspicious/noControlCharactersInRegex: the codes that colour a terminal begin with ESC
const colours = /\u001b\[[\d;]*[A-Za-z]/g

const clean = (line: string): string => line.replace(colours, '').replace(isControl, ' ').trimEnd()

/**
 * Cuts a program's output into lines of at most `width` characters; the rest of a longer line is left out and shown as
 * `…`. Bytes that are not UTF-8 become U+FFFD, control characters blanks.
 */
export function createLines(width: number, take: (line: string) => void) {
  const decoder = new StringDecoder('utf8')
  let pending = ''
  let isCut = false

  const add = (text: string): void => {
    const room = width - pending.length
    if (text.length > room) isCut = true
    pending += text.slice(0, room)
  }
  const flush = (): void => {
    take(clean(pending) + (isCut ? '…' : ''))
    pending = ''
    isCut = false
  }
  const takeText = (text: string): void => {
    const pieces = text.split(/\r?\n/)
    const last = pieces.pop() ?? ''
    for (const piece of pieces) {
      add(piece)
      flush()
    }
    add(last)
  }

  return {
    write: (bytes: Buffer): void => takeText(decoder.write(bytes)),
    end(): void {
      takeText(decoder.end())
      if (pending !== '') flush()
    },
  }
}
