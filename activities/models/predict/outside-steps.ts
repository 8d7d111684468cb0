import { createTextSteps, type TextLimits, usualTextLimits } from '../../../learn/algorithms/text/steps.ts'
import type { OutsideSteps } from '../../../learn/outside-step.ts'

/** What Weir does round the graph of a model whose `outside` names it; an algorithm adds its line here. */
export const createOutsideSteps = (limits: TextLimits = usualTextLimits): OutsideSteps => ({
  ...createTextSteps(limits),
})

export const outsideSteps: OutsideSteps = createOutsideSteps()
