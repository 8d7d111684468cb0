const schemasAtOnce = 8

/** The schemas whose consumers are being made anew: one that takes long, or fails, keeps no other waiting. */
export function createMending() {
  const mending = new Map<string, Promise<void>>()
  /** When a schema's consumers were last begun to be made anew: schemas that fail come behind the others. */
  const begun_ms = new Map<string, number>()
  return {
    /** Begins to mend the schemas that lack consumers, as many as may be mended at once. */
    begin(lacking: readonly string[], mendOne: (name: string) => Promise<void>): void {
      for (const name of begun_ms.keys()) if (!lacking.includes(name)) begun_ms.delete(name)
      for (const name of lacking.toSorted((a, b) => (begun_ms.get(a) ?? 0) - (begun_ms.get(b) ?? 0))) {
        if (mending.size >= schemasAtOnce) return
        if (mending.has(name)) continue
        begun_ms.set(name, performance.now())
        mending.set(
          name,
          mendOne(name).finally(() => mending.delete(name)),
        )
      }
    },

    /** Resolves once nothing is being mended. */
    async idle(): Promise<void> {
      await Promise.all(mending.values())
    },
  }
}
