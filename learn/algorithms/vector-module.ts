/** A compiled module's functions over a memory of its own. */
export type Opened<Functions> = { readonly buffer: ArrayBuffer; readonly functions: Functions }

/** The part of WebAssembly's interface that this file uses, which Node's types lack. */
declare const WebAssembly: {
  readonly Memory: new (pages: {
    readonly initial: number
    readonly maximum: number
  }) => { readonly buffer: ArrayBuffer }
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown }
}

const pageBytes = 65_536
/** The bytes that 32 bits can address. */
const maxPages = 65_535

/** A memory is a page at least, which fewer cells do not repay. */
export const fewestCells = 1_024

/**
 * A module of WebAssembly, in base64, that takes its memory from `rows.memory`; compiled with its first use. Opened, it has
 * so many bytes; undefined where the process is given no such memory.
 */
export function vectorModule<Functions>(base64: string): (bytes: number) => Opened<Functions> | undefined {
  let compiled: object | undefined
  return (bytes) => {
    const memory = memoryOf(Math.ceil(bytes / pageBytes))
    if (memory === undefined) return undefined
    compiled ??= new WebAssembly.Module(Buffer.from(base64, 'base64'))
    const { exports } = new WebAssembly.Instance(compiled, { rows: { memory } })
    // The module's text, beside its base64, says what it exports.
    return { buffer: memory.buffer, functions: exports as Functions }
  }
}

function memoryOf(pages: number): { readonly buffer: ArrayBuffer } | undefined {
  if (pages > maxPages) return undefined
  try {
    return new WebAssembly.Memory({ initial: pages, maximum: pages })
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
