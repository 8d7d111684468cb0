import { clients } from './clients/clients.ts'
import { consolePage } from './console/console.ts'
import { costs } from './costs/costs.ts'
import { graphs } from './graphs/graphs.ts'
import { kafka } from './kafka/kafka.ts'
import { live } from './live/live.ts'
import { events } from './load/events.ts'
import type { Loader } from './load/load.ts'
import { models } from './models/models.ts'
import { objects } from './objects/objects.ts'
import { operation } from './operation/operation.ts'
import type { PartName } from './part-names.ts'
import { quality } from './quality/quality.ts'
import { records } from './records/records.ts'
import type { Figure } from './report.ts'
import { rules } from './rules/rules.ts'
import { saved } from './saved/saved.ts'
import { manySchemas } from './schemas/many-schemas.ts'
import { shop } from './shop/shop.ts'
import type { Size } from './size.ts'

export type Part = (folder: string, loader: Loader, size: Size) => Promise<Figure[]>

export const parts: Readonly<Record<PartName, Part>> = {
  events,
  shop,
  rules,
  live,
  schemas: manySchemas,
  saved,
  records,
  objects,
  graphs,
  models,
  quality,
  costs,
  operation,
  clients,
  console: consolePage,
  kafka,
}
