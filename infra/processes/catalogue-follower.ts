/** Keeps this process's copy of one part of the catalogue (its schemas, its tables) as the catalogue has it. */
export type CatalogueFollower = {
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

export type RecordSource<Change> = {
  /** The latest record of each name. */
  readonly all: () => Promise<readonly Change[]>
  readonly since: (version: number) => Promise<readonly Change[]>
  readonly clear: () => void
  readonly follow: (record: Change) => void
}

/** Follows records each of which is a whole change: none is left half-done. */
export const recordFollower = <Change>({ all, since, clear, follow }: RecordSource<Change>): CatalogueFollower => ({
  async load() {
    clear()
    for (const record of await all()) follow(record)
  },
  async apply(version) {
    for (const record of await since(version)) follow(record)
  },
  repair: async () => {},
  hasLeftOvers: () => false,
  isEdited: () => false,
})

/** Several followers as one: each step in their order. */
export const allFollowers = (followers: readonly CatalogueFollower[]): CatalogueFollower => ({
  async load() {
    for (const follower of followers) await follower.load()
  },
  async apply(since) {
    for (const follower of followers) await follower.apply(since)
  },
  async repair() {
    for (const follower of followers) await follower.repair()
  },
  hasLeftOvers: () => followers.some((follower) => follower.hasLeftOvers()),
  isEdited: () => followers.some((follower) => follower.isEdited()),
})
