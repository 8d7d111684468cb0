import test from 'ava'
import { placedFault } from '../../../console/parts/editor/placed-fault.ts'

test('a refusal with a place is shown there, without the excerpt that the editor has itself', (t) => {
  t.deepEqual(placedFault("line 2, column 13: expected 'from', got 'frm'\nselect * frm\n         ^"), {
    line: 2,
    column: 13,
    message: "expected 'from', got 'frm'",
  })
  t.is(placedFault('no schema "x"'), undefined)
})
