// Kafka Streams, which the benchmark of rules measures beside Weir.

import { say } from '../processes/run.js'
import { runs } from './cache.js'
import { ensureJars } from './jars.js'

/** @returns {Promise<string | undefined>} the folder of its jars; undefined where it cannot be had, which is said */
export async function ensureKafkaStreams() {
  if (!runs('javac')) {
    say('NO KAFKA STREAMS: its program is compiled, and there is no javac here (a JDK has it: https://adoptium.net)')
    return undefined
  }
  return ensureJars({
    name: 'Kafka Streams',
    pom: 'infra/stack/kafka-streams.xml',
    size: '91 MB',
    tried: ['org.apache.kafka.streams.StreamsConfig'],
  })
}
