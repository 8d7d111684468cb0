/** A text in the quotes of Weir's languages. */
export const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`
