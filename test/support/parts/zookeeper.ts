import { ensureZooKeeper, startZooKeeper, type ZooKeeper } from '../../../scripts/parts/zookeeper.js'
import { temporaryFolder } from '../temporary-folder.ts'

/** `npm test` has looked for it; empty where there is none. */
const { WEIR_TEST_ZOOKEEPER_JARS } = process.env
let shared: Promise<ZooKeeper | undefined> | undefined

/** One for all services of a test file, which ends with its process; undefined where it cannot be had, which was said. */
export function sharedZooKeeper(): Promise<ZooKeeper | undefined> {
  shared ??= start()
  return shared
}

async function start(): Promise<ZooKeeper | undefined> {
  const jars = WEIR_TEST_ZOOKEEPER_JARS === undefined ? await ensureZooKeeper() : WEIR_TEST_ZOOKEEPER_JARS || undefined
  return jars === undefined ? undefined : startZooKeeper({ jars, folder: temporaryFolder() })
}
