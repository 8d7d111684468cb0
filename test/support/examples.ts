import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
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
  /** Whether the answer is read for a time, and may have no end. */
  readonly isLive?: boolean
}

/** The commands of a pipe; a bar within a filter of jq begins no command. */
export const commandsOf = (pipe: string): readonly string[] => pipe.split(/ \| (?=(?:curl|jq) )/)

/** The request of a curl command, with the addresses of Weir and its analysts' port; `input` is what `-T -` sends. */
export function requestOf(command: string, url: string, analysts: string, input = ''): ExampleRequest {
  const headers: Record<string, string> = {}
  let method: string | undefined
  let body: string | undefined
  let target = ''
  let isLive = false
  let isQuery = false
  const query = new URLSearchParams()
  const words = wordsOf(command)
  for (let i = 1; i < words.length; i++) {
    const word = words[i] ?? ''
    const next = words[i + 1] ?? ''
    if (word === '-s' || word === '-sN') continue
    if (word === '-G') {
      isQuery = true
      continue
    }
    if (word === '-m') isLive = true
    else if (isQuery && (word === '-d' || word === '--data-urlencode'))
      query.append(next.slice(0, next.indexOf('=')), next.slice(next.indexOf('=') + 1))
    else if (word === '-o') {
      i++
      continue
    } else if (word.startsWith('localhost:18080')) target = word.replace('localhost:18080', url)
    else if (word.startsWith('localhost:18123')) target = word.replace('localhost:18123', analysts)
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
  return {
    url: isQuery ? `${target}?${query}` : target,
    method: method ?? usual,
    headers,
    ...(body !== undefined && { body }),
    ...(isLive && { isLive }),
  }
}

const quiet_ms = 500
const longest_ms = 30_000

/** The text of an answer; of a live one what comes until nothing has come for a while behind an event. */
export async function textOf(response: Response, isLive = false): Promise<string> {
  if (!isLive || !response.body) return response.text()
  const reader = response.body.getReader()
  const end = performance.now() + longest_ms
  const decoder = new TextDecoder()
  let text = ''
  for (let reading = reader.read(); performance.now() < end; ) {
    const got = await Promise.race([reading, sleep(quiet_ms)])
    if (got?.done || (!got && text.includes('\ndata: '))) break
    if (!got) continue
    text += decoder.decode(got.value, { stream: true })
    reading = reader.read()
  }
  await reader.cancel()
  return text
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
    const answer = await textOf(response, options.isLive)
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
