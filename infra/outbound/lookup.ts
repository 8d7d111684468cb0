import type { LookupAddress } from 'node:dns'
import { lookup as ask } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import { createPool } from '../clickhouse/embedded/pool.ts'
import { internalRange } from './addresses.ts'

/** An endpoint at an address that is not to be reached. To try it again would change nothing. */
export class InternalAddress extends Error {
  constructor(host: string, range: string) {
    super(`${host} is an internal address (${range}); NOTIFY_PRIVATE=1 allows those`)
    this.name = 'InternalAddress'
  }
}

/** Each keeps a thread of libuv's pool, which ClickHouse needs too. */
const questionsAtOnce = 4

/**
 * Finds the addresses of a host for the socket that connects to them: what was checked is what is connected to. One
 * address that is internal refuses the host.
 */
export function createCheckedLookup(allowsInternal: boolean): LookupFunction {
  const questions = createPool(Array.from({ length: questionsAtOnce }, (_, place) => place))

  async function addressesOf(host: string): Promise<LookupAddress[]> {
    const found = await questions.use(() => ask(host, { all: true, verbatim: true }))
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
