import { BlockList, isIP, isIPv6 } from 'node:net'
import { hostname, networkInterfaces } from 'node:os'
import type { Config } from './config.ts'

/** Interfaces come and go with cables and networks: their addresses are read anew, this far apart at least. */
const readAnew_ms = 5_000
/** Max values of Host that are remembered as good. */
const maxRemembered = 100

const isMapped = /^::ffff:(?=\d+\.)/i

/** Whether a header Host names this machine: a name or an address of its own, or one in ALLOWED_HOSTS. */
export function createOwnHosts(
  { HOST, ALLOWED_HOSTS }: Pick<Config, 'HOST' | 'ALLOWED_HOSTS'>,
  interfaces: typeof networkInterfaces = networkInterfaces,
) {
  const names = new Set(['localhost', hostname().toLowerCase(), bare(HOST.toLowerCase()), ...ALLOWED_HOSTS])
  const remembered = new Set<string>()
  let addresses = addressesOf(interfaces())
  let read_ms = performance.now()

  function isOwnAddress(address: string): boolean {
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (addresses.check(address, family)) return true
    if (performance.now() - read_ms < readAnew_ms) return false
    addresses = addressesOf(interfaces())
    read_ms = performance.now()
    return addresses.check(address, family)
  }

  function isOwn(host: string, localAddress: string): boolean {
    if (!/^[^\s/?#@\\]+$/.test(host) || !URL.canParse(`http://${host}`)) return false
    const { hostname, port } = new URL(`http://${host}`)
    const name = bare(hostname).replace(/\.$/, '')
    if ([name, hostname, `${hostname}:${port || '80'}`].some((each) => names.has(each))) return true
    return isIP(name) !== 0 && (name === localAddress.replace(isMapped, '') || isOwnAddress(name))
  }

  /** `localAddress`: the one that the request's connection came in by. */
  return (host: string, localAddress = ''): boolean => {
    if (remembered.has(host)) return true
    if (!isOwn(host, localAddress)) return false
    if (remembered.size >= maxRemembered) remembered.clear()
    remembered.add(host)
    return true
  }
}

export type OwnHosts = ReturnType<typeof createOwnHosts>

const bare = (host: string): string => host.replace(/^\[(.*)\]$/, '$1')

function addressesOf(interfaces: ReturnType<typeof networkInterfaces>): BlockList {
  const list = new BlockList()
  list.addSubnet('127.0.0.0', 8)
  list.addAddress('::1', 'ipv6')
  for (const { address, family } of Object.values(interfaces).flatMap((each) => each ?? [])) {
    list.addAddress(address, family === 'IPv6' ? 'ipv6' : 'ipv4')
  }
  return list
}
