import type { SchemaRecord } from '../../../infra/catalogue/catalogue.ts'
import type { Deletion } from '../../../infra/catalogue/deletions.ts'
import type { PastPosition } from '../../../sql/schema/ddl/edit/past-matches.ts'
import type { Change } from '../../../sql/schema/ddl/edit/schema-diff.ts'
import type { Schema } from '../../../sql/schema/schema.ts'
import { streamIn } from './stream-aside.ts'

/** The record in the catalogue while an edit is under way: the bodies, and how far its copies are. */
export type EditRecord = {
  readonly from: string
  readonly to: string
  /** Tells the copies of one edit from those of the next. */
  readonly id: string
  /** Microseconds since 1970. */
  readonly begun_us?: number
  /** Set where no table changes: the tables are at rest for a while, and the feeds are all there. */
  readonly feedsStay?: true
  /** The stream that goes, as it is to be kept: once the edit stands its tables are set aside, and none is dropped. */
  readonly keeps?: Deletion
  /** The kept stream that comes back: its tables are moved in before the edit stands, and out again where that is undone. */
  readonly restores?: Deletion
  /** Copies that are done, and the run of events of the next one that may have been inserted. */
  readonly copies?: CopyProgress
  /** All copies are made: the events that they were made of may be gone. */
  readonly isFilled?: true
}

export type CopyProgress = { readonly done: number; readonly after?: PastPosition; readonly upTo?: PastPosition }

export const readEditRecord = ({ body }: Pick<SchemaRecord, 'body'>): EditRecord => JSON.parse(body)

export const changeOf = ({ from, to, restores }: EditRecord, decode: (body: string) => Schema): Change => ({
  from: decode(from),
  to: decode(to),
  restored: restores && streamIn(restores),
})
