/** A thread that reads YAML: at some megabytes a second, the library keeps the thread busy that it runs in. */
import { Fault } from './faults.ts'
import { type ReadYaml, readYaml } from './yaml.ts'

export type YamlTask = { readonly text: string; readonly what: string }
/** A fault loses its class between threads. */
export type YamlAnswer = ReadYaml | { readonly refused: string; readonly problems: readonly string[] }

// biome-ignore lint/style/noDefaultExport: Piscina calls the default export.
export default function read({ text, what }: YamlTask): YamlAnswer {
  try {
    return readYaml(text, what)
  } catch (error) {
    if (error instanceof Fault && error.kind === 'invalid')
      return { refused: error.message, problems: error.details.problems ?? [] }
    throw error
  }
}
