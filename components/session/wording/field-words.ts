/** Lists the errors of fields by their paths: "to.city: is not a known field." */
export const fieldWords = (fields: Readonly<Record<string, string>> = {}): string =>
  Object.entries(fields)
    .map(([path, message]) => `${path && `${path}: `}${message}${/[.!?]$/.test(message) ? '' : '.'}`)
    .join(' ')
