import { createTextSteps, type TextLimits, usualTextLimits } from '../../learn/algorithms/text/steps.ts'
import type { OutsideSteps } from '../../learn/outside-step.ts'

/** The steps that Weir does outside the graph of a model whose `outside` names them; an algorithm adds its line here. */
export const createOutsideSteps = (limits: TextLimits = usualTextLimits): OutsideSteps => ({
  ...createTextSteps(limits),
})

export const outsideSteps: OutsideSteps = createOutsideSteps()
