import test from 'ava'

/**
 * Says whether a test file asks for the first time: a module of support is loaded once in a process, which runs several files, and
 * has to end for each what it has begun for it.
 */
export function createFirstOfFile(): () => boolean {
  let last = ''
  return () => {
    const { file } = test.meta
    if (file === last) return false
    last = file
    return true
  }
}
