// Kafka's data folder as a broker finds it before its first start.

import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { cache, ensureCached } from './cache.js'

const cluster = 'weir-weir-weir-weirAAA'

/** Makes a data folder as Kafka's `format` does. That takes a JVM of its own, so it is done once and copied.
 * @param {string} jars
 * @param {string} data
 * @param {Record<string, string>} settings a broker's; the format needs the node's number and its roles */
export async function format(jars, data, settings) {
  const place = join(cache, `${basename(jars)}-formatted`)
  const isWhole = () => ['meta.properties', 'bootstrap.checkpoint'].every((file) => existsSync(join(place, file)))
  const formatted = await ensureCached(place, isWhole, async (draft) => {
    mkdirSync(draft)
    const file = `${draft}.properties`
    writeFileSync(file, propertiesText({ ...settings, 'log.dirs': draft }))
    const tool = ['-cp', join(jars, '*'), 'kafka.tools.StorageTool', 'format', '-t', cluster, '-c', file]
    await promisify(execFile)('java', tool)
    rmSync(file)
    return draft
  })
  cpSync(formatted ?? '', data, { recursive: true })
}

/** @param {Record<string, string>} settings */
export const propertiesText = (settings) =>
  Object.entries(settings)
    .map(([key, value]) => `${key}=${value}\n`)
    .join('')
