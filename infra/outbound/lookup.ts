import type { LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { internalRange } from './addresses.ts'
import { createResolve, type Resolve } from './resolve.ts'

/** An endpoint at an address that is not to be reached. To try it again would change nothing. */
export class InternalAddress extends Error {
  constructor(host: string, range: string) {
    super(`${host} is an internal address (${range}); NOTIFY_PRIVATE=1 allows those`)
    this.name = 'InternalAddress'
  }
}

/**
 * Finds the addresses of a host for the socket that connects to them, so that it connects to the addresses that were
 * checked. One address that is internal refuses the host.
 */
export function createCheckedLookup(allowsInternal: boolean, resolve: Resolve = createResolve()): LookupFunction {
  async function addressesOf(host: string): Promise<LookupAddress[]> {
    const found = await resolve(host)
    for (const { address } of allowsInternal ? [] : found) {
      const range = internalRange(address)
      if (range !== undefined) throw new InternalAddress(`${host} (${address})`, range)
    }
    return found
  }

  return (host, { all }, callback) => {
    addressesOf(host).then(
      (found) => {
        const [first] = found
        if (first === undefined) callback(new Error(`${host} has no address`), '', 4)
        else if (all) callback(null, found)
        else callback(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => callback(error, '', 4),
    )
  }
}
