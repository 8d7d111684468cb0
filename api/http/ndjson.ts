import type { Context } from 'koa'

const mediaType = /^application\/(x-)?(ndjson|jsonl|jsonlines|json-lines)\b/i

/** Whether the body has one JSON value a line. */
export const isNdjson = ({ req }: Context): boolean => mediaType.test(req.headers['content-type'] ?? '')
