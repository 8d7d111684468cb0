/** The quantities that every solver with sum |w_j| needs of one weight: the slopes of the objective on either side. */
export type Slopes = { readonly up: number; readonly down: number }

/** How far a weight is from optimal: the smallest subgradient's size. */
export function violationOf(weight: number, { up, down }: Slopes): number {
  return weight === 0 ? Math.max(-up, down, 0) : Math.abs(weight > 0 ? up : down)
}

/** The step that minimizes slope * d + 0.5 curvature d^2 + |weight + d|. */
export function stepOf(weight: number, { up, down }: Slopes, curvature: number): number {
  return up < curvature * weight ? -up / curvature : down > curvature * weight ? -down / curvature : -weight
}

export function slopesOf(slope: number): Slopes {
  return { up: slope + 1, down: slope - 1 }
}
