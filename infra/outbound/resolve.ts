import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import ipaddr from 'ipaddr.js'

export type ResolveDeps = {
  /** Replace the system's servers; `address:port`. */
  readonly servers?: readonly string[]
  readonly hostsFile?: string
  readonly resolverFile?: string
  /** Timeout of a question, over all its servers. */
  readonly time_ms?: number
}

/** Timeout of a try; each server has two. */
const try_ms = 2_000
const tries = 2
const longest_ms = 8_000

/**
 * Finds the addresses of a host as the system would (its file of hosts, the domains that it searches, its servers), without
 * `getaddrinfo`: that keeps a thread of libuv's pool for as long as a server stays silent, and cannot be ended. Questions wait
 * for nothing but their own servers.
 */
export function createResolve({
  servers,
  hostsFile = '/etc/hosts',
  resolverFile = '/etc/resolv.conf',
  time_ms = longest_ms,
}: ResolveDeps = {}) {
  const underWay = new Map<string, Promise<LookupAddress[]>>()

  async function ask(host: string): Promise<LookupAddress[]> {
    const bare = host.replace(/\.$/, '')
    const known = fixedIn(await textOf(hostsFile), bare)
    if (known.length > 0) return known
    const resolver = new Resolver({ timeout: try_ms, tries })
    if (servers) resolver.setServers(servers)
    const deadline = setTimeout(() => resolver.cancel(), time_ms)
    try {
      let failure: unknown
      for (const name of searched(await textOf(resolverFile), host)) {
        const answers = await Promise.allSettled([addresses(resolver, name, 4), addresses(resolver, name, 6)])
        const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
        if (found.length > 0) return found
        for (const answer of answers) if (answer.status === 'rejected') failure ??= answer.reason
        // A domain that is searched may be out of order: the name itself is asked for all the same, as the system does.
        if (name === bare && answers.some((answer) => answer.status === 'rejected' && !isAbsent(answer.reason))) break
      }
      throw failure ?? new Error(`${host} has no address`)
    } finally {
      clearTimeout(deadline)
    }
  }

  /** Callers that ask for one name at once share the answer. */
  return (host: string): Promise<LookupAddress[]> => {
    const name = host.toLowerCase()
    const asked = underWay.get(name) ?? ask(name).finally(() => underWay.delete(name))
    underWay.set(name, asked)
    return asked
  }
}

export type Resolve = ReturnType<typeof createResolve>

const addresses = async (resolver: Resolver, name: string, family: 4 | 6): Promise<LookupAddress[]> =>
  (family === 4 ? await resolver.resolve4(name) : await resolver.resolve6(name)).map((address) => ({ address, family }))

/** Whether the server has answered that there is no such name, or no address of the kind. */
const isAbsent = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOTFOUND' || error.code === 'ENODATA')

const textOf = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '')

const wordsOf = (text: string): string[][] =>
  text.split('\n').map((line) =>
    line
      .replace(/[#;].*/, '')
      .split(/\s+/)
      .filter((word) => word !== ''),
  )

/** The addresses of a name in hosts(5); `localhost` and all names below it are this machine (RFC 6761). */
function fixedIn(hosts: string, host: string): LookupAddress[] {
  const found = wordsOf(hosts).flatMap(([address = '', ...names]): LookupAddress[] =>
    ipaddr.isValid(address) && names.some((name) => name.toLowerCase() === host)
      ? [{ address, family: ipaddr.parse(address).kind() === 'ipv4' ? 4 : 6 }]
      : [],
  )
  if (found.length > 0 || !/^(.*\.)?localhost\.?$/.test(host)) return found
  return [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ]
}

/** The names to ask for, by `search`, `domain` and `ndots` of resolv.conf(5). */
function searched(settings: string, host: string): string[] {
  if (host.endsWith('.')) return [host.slice(0, -1)]
  let domains: readonly string[] = []
  let dots = 1
  for (const [word, ...rest] of wordsOf(settings)) {
    if (word === 'search' || word === 'domain') domains = rest
    if (word === 'options') {
      const given = rest.find((option) => option.startsWith('ndots:'))
      if (given !== undefined) dots = Number(given.slice('ndots:'.length)) || 0
    }
  }
  const below = domains.filter((domain) => domain !== '.').map((domain) => `${host}.${domain}`)
  return host.split('.').length - 1 >= dots ? [host, ...below] : [...below, host]
}
