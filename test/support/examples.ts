import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { jq } from './jq.ts'

export type Example = { readonly command: string; readonly answer: string }

/** Every `$ curl ...` of a page, which may go on in lines of four blanks, with the answer that is printed below it. */
export function examplesOf(text: string): Example[] {
  const blocks = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block)
  return blocks.flatMap((block) =>
    block
      .split(/^\$ /m)
      .filter((part) => part.startsWith('curl '))
      .map((part) => {
        const [, command = '', answer = ''] = /^(.*(?:\n {4}.*)*)\n?([\s\S]*)$/.exec(part.trimEnd()) ?? []
        return { command: command.replace(/ \\\n */g, ' '), answer }
      }),
  )
}

/** The words of a command; a word with blanks stands in quotes. */
const wordsOf = (command: string): string[] =>
  (command.match(/'[^']*'|"[^"]*"|\S+/g) ?? []).map((word) => word.replace(/^(['"])(.*)\1$/s, '$2'))

/** A file of the repository; installed packages lie at its root alone, from which tests are started. */
function bodyOf(argument: string): string {
  if (!argument.startsWith('@')) return argument
  const file = argument.slice(1)
  if (file.startsWith('node_modules/')) return readFileSync(join(process.cwd(), file), 'utf8')
  return readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
}

export type ExampleRequest = {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** The commands of a pipe; a bar within a filter of jq begins no command. */
export const commandsOf = (pipe: string): readonly string[] => pipe.split(/ \| (?=(?:curl|jq) )/)

/** The request of a curl command, with the addresses of Weir and its analysts' port; `input` is what `-T -` sends. */
export function requestOf(command: string, url: string, analysts: string, input = ''): ExampleRequest {
  const headers: Record<string, string> = {}
  let method: string | undefined
  let body: string | undefined
  let target = ''
  const words = wordsOf(command)
  for (let i = 1; i < words.length; i++) {
    const word = words[i] ?? ''
    const next = words[i + 1] ?? ''
    if (word === '-s') continue
    if (word === '-o') {
      i++
      continue
    }
    if (word.startsWith('localhost:18080')) target = word.replace('localhost:18080', url)
    else if (word === 'localhost:18123') target = analysts
    else if (word === '-u') headers.authorization = `Basic ${Buffer.from(next).toString('base64')}`
    else if (word === '-H') headers[next.slice(0, next.indexOf(':'))] = next.slice(next.indexOf(':') + 1).trim()
    else if (word === '-X') method = next
    else if (word === '-d' || word === '--data-binary') body = bodyOf(next)
    else if (word === '-T') {
      body = next === '-' ? input : bodyOf(`@${next}`)
      method ??= 'PUT'
    } else throw new Error(`the test knows no curl option ${word}`)
    if (!word.startsWith('localhost')) i++
  }
  const usual = body === undefined ? 'GET' : 'POST'
  return { url: target, method: method ?? usual, headers, ...(body !== undefined && { body }) }
}

/** Does what a command of curl does, and each command of curl or jq behind a bar with the answer of the one before it. */
export async function runExample(pipe: string, url: string, analysts: string): Promise<string> {
  let text = ''
  for (const command of commandsOf(pipe)) {
    const [, filter] = /^jq -c '?(.*?)'?$/s.exec(command) ?? []
    if (filter !== undefined) {
      text = jq(filter, text)
      continue
    }
    const { url: target, ...options } = requestOf(command, url, analysts, text)
    const response = await fetch(target, options)
    const answer = await response.text()
    // A page does not show an answer that goes to a file.
    text = response.ok && command.includes(' -o ') ? '' : answer
  }
  return text
}

/** A dots character stands for a value that differs at each run; an answer shown with `...` at its end goes on. */
export const matches = (answer: string, shown: string): boolean => {
  const goesOn = shown.endsWith('...')
  const parts = (goesOn ? shown.slice(0, -3) : shown).split('…')
  const pattern = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('[^,"}]*')
  return new RegExp(goesOn ? `^${pattern}` : `^${pattern}$`).test(answer)
}
