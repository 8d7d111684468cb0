/** The parts that `npm run bench -- <part> ...` runs, in this order. */
export const partNames = [
  'events',
  'shop',
  'rules',
  'live',
  'schemas',
  'saved',
  'records',
  'objects',
  'graphs',
  'models',
  'quality',
  'costs',
  'operation',
  'clients',
  'console',
  'kafka',
] as const

export type PartName = (typeof partNames)[number]
