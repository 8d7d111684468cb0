import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { deliveredTable, feedView, topicTable } from '../../../sql/schema/names.ts'
import { foldersIn, namesIn } from './folders.ts'

const ofTopic = `${topicTable('')}.sql`
const view = (stream: string): string => `${feedView(deliveredTable(stream), 'topic')}.sql`

/**
 * Takes the Kafka tables of an earlier process out of a folder, with the views that hang on them, before ClickHouse opens
 * it. Weir makes each anew under another group, while ClickHouse would begin with all of them under their old groups:
 * there the broker waits for the old members, 43 s, and a table that waits for partitions keeps one thread of those for
 * all consumers for 15 s (`MAX_TIME_TO_WAIT_FOR_ASSIGNMENT_MS` in its KafkaConsumer.cpp). Neither a table nor a view of
 * them has data of its own.
 */
export function setAsideConsumers(folder: string): void {
  for (const database of foldersIn(join(folder, 'store'))) {
    for (const name of namesIn(database)) {
      if (!name.endsWith(ofTopic) || !isKafkaTable(join(database, name))) continue
      // The view first: a crash in between leaves a table, which is found again.
      rmSync(join(database, view(name.slice(0, -ofTopic.length))), { force: true })
      rmSync(join(database, name))
    }
  }
}

const isKafkaTable = (path: string): boolean => /^ENGINE = Kafka$/m.test(readFileSync(path, 'utf8'))
