/** `table_type` and `key_type`, in words. */
export const tableKinds: Readonly<Record<number, string>> = {
  0: 'Values',
  1: 'Documents',
  3: 'Whole numbers',
  4: 'Whole numbers',
  5: 'Numbers',
}

export const keyKinds: Readonly<Record<number, string>> = { 1: 'texts', 3: 'texts of two parts', 10: 'whole numbers' }
