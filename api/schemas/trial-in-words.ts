import type { Trial } from '../../activities/schemas/edit/trial.ts'
import { changeInWords, partInWords } from '../../sql/schema/words/changes.ts'
import type { SentForm } from '../../sql/schema/words/form.ts'

/** The trial of a change whose sender reads words. */
export const trialInWords = ({ added, changed, filled, lost, refused }: Trial, form: SentForm): Trial => ({
  added: added.map(partInWords),
  changed: changed.map(changeInWords),
  filled: filled.map(partInWords),
  lost: lost.map(partInWords),
  refused: form.messages(refused),
})
