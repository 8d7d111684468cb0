import { fileURLToPath } from 'node:url'

/** Under `npm test` this file is JavaScript, and so is all the repository's TypeScript beside it; else tsx translates. */
const isTranslated = import.meta.url.endsWith('.js')

/** Options with which node understands what `pathOf` names: a process that needs no tsx starts half a second sooner. */
export const loader: readonly string[] = isTranslated ? [] : ['--import=tsx']

/** Where a TypeScript file of the repository can be imported from, or started. */
export const pathOf = (file: string): string =>
  fileURLToPath(new URL(`../../${isTranslated ? file.replace(/\.ts$/, '.js') : file}`, import.meta.url))

/** Arguments of node that start a TypeScript file of the repository. */
export const programOf = (file: string): string[] => [...loader, pathOf(file)]
