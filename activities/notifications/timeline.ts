import type { TemplateStore, TemplateVersion } from './template-store.ts'

/** Versions that one process writes may be seen by another this much after those that are younger. */
const overlap_us = 60_000_000
const maxVersions = 20

/** The versions of all templates, in memory. */
export function createTimeline(store: TemplateStore) {
  const versions = new Map<number, TemplateVersion[]>()
  let seen = overlap_us

  function add(added: readonly TemplateVersion[]): void {
    for (const version of added) {
      const known = versions.get(version.notifid) ?? []
      if (known.some(({ at }) => at === version.at)) continue
      known.push(version)
      known.sort((a, b) => a.at - b.at)
      if (known.length > maxVersions) known.shift()
      versions.set(version.notifid, known)
      seen = Math.max(seen, version.at)
    }
  }

  const latest = (notifid: number): TemplateVersion | undefined => versions.get(notifid)?.at(-1)

  return {
    add,
    /** Takes up templates that other processes have written. */
    async refresh(): Promise<void> {
      add(await store.since(seen - overlap_us))
    },
    /** Oldest first. */
    of: (notifid: number): readonly TemplateVersion[] => versions.get(notifid) ?? [],
    /** A template as it is now; undefined where it was removed, or never was. */
    current(notifid: number): TemplateVersion | undefined {
      const version = latest(notifid)
      return version?.state === -1 ? undefined : version
    },
    isEmpty: (): boolean => versions.size === 0,
  }
}

export type Timeline = ReturnType<typeof createTimeline>
