import type { Context } from 'koa'
import { type Json, writeJson } from '../../base/json.ts'

/** Answers with values of ClickHouse, whose integers keep their digits. */
export function answerJson(context: Context, value: Json | object): void {
  context.type = 'application/json'
  context.body = writeJson(value as Json)
}
