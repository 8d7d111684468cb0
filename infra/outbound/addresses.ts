import ipaddr from 'ipaddr.js'

/** The one range of IPv6 that is globally routable unicast (IANA, IPv6 Global Unicast Address Assignments). */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/** IPv4 within IPv6: the prefix, and the byte at which the four bytes stand. */
const embedding = [
  { range: ipaddr.IPv6.parseCIDR('::ffff:0:0/96'), at: 12 }, // mapped
  { range: ipaddr.IPv6.parseCIDR('::/96'), at: 12 }, // compatible, RFC 4291
  { range: ipaddr.IPv6.parseCIDR('64:ff9b::/96'), at: 12 }, // NAT64, RFC 6052
  { range: ipaddr.IPv6.parseCIDR('2002::/16'), at: 2 }, // 6to4, RFC 3056
]

/** Why an address is not globally routable unicast, such as `loopback`; undefined where it is. */
export function internalRange(address: string): string | undefined {
  const [plain = ''] = address.split('%')
  if (!ipaddr.isValid(plain)) return 'no address'
  const parsed = ipaddr.parse(plain)
  return parsed instanceof ipaddr.IPv4 ? rangeOf(parsed) : rangeOfIPv6(parsed)
}

function rangeOfIPv6(address: ipaddr.IPv6): string | undefined {
  const own = address.range()
  if (own === 'unspecified' || own === 'loopback') return own
  for (const { range, at } of embedding) {
    if (address.match(range)) return rangeOf(new ipaddr.IPv4(address.toByteArray().slice(at, at + 4)))
  }
  if (own !== 'unicast') return own
  return address.match(globalUnicast) ? undefined : 'reserved'
}

function rangeOf(address: ipaddr.IPv4): string | undefined {
  const range = address.range()
  return range === 'unicast' ? undefined : range
}

/** The address that stands in a URL's host; undefined where that is a name. */
export function literalAddress({ hostname }: URL): string | undefined {
  const plain = hostname.replace(/^\[(.*)\]$/, '$1')
  return ipaddr.isValid(plain) ? plain : undefined
}

/** Whether a name stands for this machine on every machine (RFC 6761). */
export const isLoopbackName = (hostname: string): boolean => /(?:^|\.)localhost\.?$/i.test(hostname)
