import { createModelFiles } from '../../activities/models/model-files.ts'
import { createVersionStore } from '../../activities/models/stores/versions.ts'
import { openStore } from '../../infra/buckets/open-store.ts'
import { openClickHouse } from '../../infra/clickhouse/open.ts'
import { readConfig } from '../../infra/config.ts'
import { silentLogger } from '../../infra/logger.ts'

/** Where a service keeps its models: what training puts there, tests put there by themselves. */
export async function openModelShelf(settings: Readonly<Record<string, string>>) {
  const config = readConfig({ ...settings })
  const { clickhouse } = await openClickHouse(config, silentLogger())
  const store = await openStore(config)
  const versions = createVersionStore(clickhouse)
  const files = createModelFiles(store.objects)

  return {
    /** Makes the file the current version of the model; answers when the version exists. */
    async publish(schema: string, model: string, file: Uint8Array): Promise<{ training: number; key: string }> {
      const training = Date.now() * 1000 + Math.floor(Math.random() * 1000)
      const known = { schema, model, training }
      await files.write(known, 'model.onnx', file)
      const key = files.keyOf(known, 'model.onnx')
      const number = (await versions.list({ schema, model })).length + 1
      const times = { start_us: training, end_us: training + 1 }
      await versions.makeCurrent({ schema, model }, { number, key, algorithm: 'TEST', ...times, metrics: {} })
      return { training, key }
    },
    remove: (schema: string, model: string) => versions.removeAll({ schema, model }),
    objects: store.objects,
    async close(): Promise<void> {
      await store.close()
      await clickhouse.close()
    },
  }
}
