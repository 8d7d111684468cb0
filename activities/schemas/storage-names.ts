import { fault } from '../../base/faults.ts'

/** A thing that has a ClickHouse database of its name. */
export type NameHolder = 'schema' | 'database'

/** The holder of each name: a schema and a database of tables never share one. */
export function createStorageNames() {
  const holders = new Map<string, NameHolder>()

  /** Throws a fault `conflict` where a thing of another kind has the name. */
  function check(name: string, holder: NameHolder): void {
    const known = holders.get(name) ?? holder
    if (known === holder) return
    throw fault('conflict', `${name} is the name of a ${known} already, so no ${holder} can have it; take another`)
  }

  return {
    check,
    /** Takes the name, or throws a fault `conflict`; to take a name that one holds changes nothing. */
    claim(name: string, holder: NameHolder): void {
      check(name, holder)
      holders.set(name, holder)
    },
    holder: (name: string): NameHolder | undefined => holders.get(name),
    isDatabase: (name: string): boolean => holders.get(name) === 'database',
    release(name: string, holder: NameHolder): void {
      if (holders.get(name) === holder) holders.delete(name)
    },
  }
}

export type StorageNames = ReturnType<typeof createStorageNames>
