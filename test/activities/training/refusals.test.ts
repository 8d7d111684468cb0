import test from 'ava'
import { shortReason } from '../../../activities/training/refusals.ts'

test("a training's log has of ClickHouse's errors no statement, and of others all", (t) => {
  const unknown = 'Code: 47. DB::Exception: Unknown identifier `b` in scope SELECT b FROM shop.t. (UNKNOWN_IDENTIFIER)'
  t.is(shortReason(unknown), 'ClickHouse could not answer: its error 47, UNKNOWN_IDENTIFIER')
  t.is(shortReason(`${unknown} (version 26.5.1)`), 'ClickHouse could not answer: its error 47, UNKNOWN_IDENTIFIER')
  t.is(shortReason('Code: 1. DB::Exception: odd'), 'ClickHouse could not answer: its error 1')
  t.is(shortReason('there is no script (A) in Code: 7'), 'there is no script (A) in Code: 7')
})
