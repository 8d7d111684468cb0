import test from 'ava'

/**
 * One thing for all tests of a file, such as a server: begun by the first that asks, and ended with the file. The module that has it
 * is loaded once in a process, which runs several files one after the other.
 */
export function onePerFile<Thing>(
  title: string,
  begin: () => Promise<Thing>,
  end: (thing: Thing) => unknown,
): { get(): Promise<Thing>; endsWithFile(): void } {
  let thing: Promise<Thing> | undefined
  let last = ''
  return {
    get: () => (thing ??= begin()),
    /** Called where tests of a file are declared. */
    endsWithFile() {
      const { file } = test.meta
      if (file === last) return
      last = file
      test.after.always(title, async () => {
        const ended = thing
        thing = undefined
        await ended?.then(end, () => undefined)
      })
    },
  }
}
