/** Why an attribute with this lag cannot be filled by a model. */
export const otherLag = (model: string, lag: number, trained: number | undefined): string =>
  `lag is ${lag}, and model ${model} was trained ${trained === undefined ? 'without lag' : `with lag ${trained}`}`
