/** Lists the errors of fields by their paths: "to.city: is not a known field." */
export const fieldWords = (fields: Readonly<Record<string, string>> = {}): string =>
  Object.entries(fields)
    .map(([path, message]) => (path === '' ? message : `${path}: ${message}`))
    .map(text => (/[.!?]$/.test(text) ? text : `${text}.`))
    .join(' ')
