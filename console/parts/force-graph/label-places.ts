/** A text of a picture: its middle, its size, and the angle by which it is turned. */
export type Label = {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly angle?: number
}

type Box = { readonly left: number; readonly right: number; readonly top: number; readonly bottom: number }

/** A long text that is turned is some boxes along its line, since the one box around it would keep much room free. */
function boxesOf({ x, y, width, height, angle = 0 }: Label): readonly Box[] {
  const count = angle === 0 ? 1 : Math.max(1, Math.ceil(width / (height * 2)))
  const part = width / count
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const half = {
    x: (Math.abs(cos) * part + Math.abs(sin) * height) / 2,
    y: (Math.abs(sin) * part + Math.abs(cos) * height) / 2,
  }
  return Array.from({ length: count }, (_, place) => {
    const along = (place + 0.5) * part - width / 2
    const [atX, atY] = [x + cos * along, y + sin * along]
    return { left: atX - half.x, right: atX + half.x, top: atY - half.y, bottom: atY + half.y }
  })
}

const meet = (one: Box, other: Box): boolean =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom

/** The places of texts that are drawn already: a text that would lie on one of them is left out. */
export function createLabelPlaces() {
  const taken: Box[] = []
  return {
    /** Takes the place of a text; false where another has some of it. */
    take(label: Label): boolean {
      const boxes = boxesOf(label)
      if (boxes.some((box) => taken.some((other) => meet(box, other)))) return false
      taken.push(...boxes)
      return true
    },
    /** Takes it in any case, for what must be drawn. */
    hold: (label: Label): void => void taken.push(...boxesOf(label)),
  }
}

export type LabelPlaces = ReturnType<typeof createLabelPlaces>
