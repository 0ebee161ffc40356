/** Returns the server's field errors by field of the form instead of by path in the configuration. */
export function formFields(fields: Record<string, string>): Record<string, string> {
  const placeOf = (path: string) => {
    if (/^(config\.)?chat\.tools/.test(path)) return 'external'
    if (/^(config\.)?chat\.plugins/.test(path)) return 'plugins'
    return path.split('.').at(-1) ?? path
  }
  return Object.fromEntries(Object.entries(fields).map(([path, words]) => [placeOf(path), words]))
}
