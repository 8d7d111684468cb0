import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

const folder = new URL('./histories/', import.meta.url)

export const historyNames = (): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length))

export const readHistory = (name: string): unknown => JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8'))

/** Keeps a history, given as JSON, without what it says of the machine on which it ran. */
export const writeHistory = (name: string, history: string): void => {
  const text = JSON.stringify(JSON.parse(history), (key, value) => ofMachine[key] ?? value, 1)
  writeFileSync(new URL(`${name}.json`, folder), `${text}\n`)
}

const ofMachine: Readonly<Record<string, string>> = { identity: 'weir', stackTrace: '', workerInstanceKey: '' }
