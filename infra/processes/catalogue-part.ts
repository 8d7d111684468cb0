/** A part of the catalogue as this process has it in memory: its schemas, its tables. */
export type CataloguePart = {
  /** Reads all of it, and undoes or ends changes that a crash left half-done; before any event is fed. */
  load(): Promise<void>
  /** Applies the changes of other processes since a version; runs no DDL. */
  apply(since: number): Promise<void>
  /** Ends changes that another process left half-done. */
  repair(): Promise<void>
  hasLeftOvers(): boolean
  /** Whether another process is at work on tables into which this one would feed. */
  isEdited(): boolean
}

/** Several parts as one: each step in their order. */
export const allParts = (parts: readonly CataloguePart[]): CataloguePart => ({
  async load() {
    for (const part of parts) await part.load()
  },
  async apply(since) {
    for (const part of parts) await part.apply(since)
  },
  async repair() {
    for (const part of parts) await part.repair()
  },
  hasLeftOvers: () => parts.some((part) => part.hasLeftOvers()),
  isEdited: () => parts.some((part) => part.isEdited()),
})
