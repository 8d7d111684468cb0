import { join } from 'node:path'
import { startTestClickHouse, type TestClickHouse } from './clickhouse-server.ts'

const servers = new Map<string, Promise<TestClickHouse>>()

/** The ClickHouse server of a data folder; one that runs is found again, as its data would be. */
export function serverOf(folder: string): Promise<TestClickHouse> {
  const server = servers.get(folder) ?? startTestClickHouse({ folder: join(folder, 'server') })
  servers.set(folder, server)
  return server
}

/** Ends the servers that were started so far: one that no test needs any more still takes its part of the machine. */
export async function stopServers(): Promise<void> {
  const running = [...servers.values()]
  servers.clear()
  for (const server of running) await (await server).kill()
}

/** Where Weir's client packs what it sends, and asks for packed answers. */
export const packedUrl = (url: string): string => `${url}/?compression_request=1&compression_response=1`

/** Settings that put a service on a ClickHouse server, where the test file asked for that by `on-server.ts` or its like. */
export async function serverSettings(folder: string): Promise<Record<string, string>> {
  const wanted = process.env.WEIR_TEST_SERVER
  if (wanted === undefined) return {}
  const { url } = await serverOf(folder)
  return { CLICKHOUSE_URL: wanted === 'packed' ? packedUrl(url) : url }
}
