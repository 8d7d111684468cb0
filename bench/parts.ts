import { events } from './events.ts'
import { kafka } from './kafka.ts'
import type { Loader } from './load.ts'
import { manySchemas } from './many-schemas.ts'
import { objects } from './objects.ts'
import type { PartName } from './part-names.ts'
import { records } from './records.ts'
import type { Figure } from './report.ts'
import { shop } from './shop.ts'
import type { Size } from './size.ts'

export type Part = (folder: string, loader: Loader, size: Size) => Promise<Figure[]>

export const parts: Readonly<Record<PartName, Part>> = { events, shop, schemas: manySchemas, records, objects, kafka }
