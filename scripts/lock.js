// A lock that `npm ci` takes on every platform.
//
// npm writes down a package's builds for other platforms only if the registry it asks has them; where some are
// missing, `npm ci` refuses the lock that npm wrote. They are added here from the name and the version that the
// depending package asks for. Such an entry has no integrity: npm fetches it on the platform it is for, and only there.

/** @typedef {{ version?: string, optional?: boolean, dev?: boolean, os?: string[], cpu?: string[], libc?: string[],
 *   dependencies?: Record<string, string>, devDependencies?: Record<string, string>,
 *   optionalDependencies?: Record<string, string>, peerDependencies?: Record<string, string> }} Locked */
/** @typedef {{ packages: Record<string, Locked> }} Lock */

const systems = 'aix|android|darwin|freebsd|linux|netbsd|openbsd|openharmony|sunos|win32'
const processors = 'arm64|arm|ia32|loong64|mips64el|ppc64|riscv64|s390x|x64'
const build = new RegExp(`(?:^|[-/])(?<os>${systems})-(?<cpu>${processors})(?:-(?<libc>gnu|musl))?`)

/** The builds that `lock` names as optional dependencies without having an entry for them.
 * @param {Lock} lock
 * @returns {Record<string, Locked>} by their place in the lock */
export function missingFrom(lock) {
  /** @type {Record<string, Locked>} */
  const missing = {}
  for (const [place, { optionalDependencies = {}, dev = false }] of Object.entries(lock.packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      const { os, cpu, libc } = build.exec(name)?.groups ?? {}
      if (!os || !cpu || isLocked(lock, place, name)) continue
      missing[`node_modules/${name}`] = {
        version,
        cpu: [cpu],
        ...(dev ? { dev } : {}),
        ...(libc ? { libc: [libc === 'musl' ? 'musl' : 'glibc'] } : {}),
        optional: true,
        os: [os],
      }
    }
  }
  return missing
}

/** Looks where Node does: inside `place`, then inside each package around it.
 * @param {Lock} lock
 * @param {string} place
 * @param {string} name */
function isLocked(lock, place, name) {
  const parts = place.split('/node_modules/')
  const around = parts.map((_, i) => `${parts.slice(0, i + 1).join('/node_modules/')}/node_modules/${name}`)
  return [`node_modules/${name}`, ...around].some((candidate) => candidate in lock.packages)
}

/** @param {Lock} lock
 * @returns {Lock} with every build, in npm's order */
export function completed(lock) {
  const packages = Object.entries({ ...lock.packages, ...missingFrom(lock) })
  return { ...lock, packages: Object.fromEntries(packages.sort(([a], [b]) => a.localeCompare(b, 'en'))) }
}
