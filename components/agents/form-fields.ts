/** Where the form shows what the server said about a place in the configuration. */
export function formFields(fields: Record<string, string>): Record<string, string> {
  const placeOf = (path: string) => {
    if (/^(config\.)?chat\.tools/.test(path)) return 'external'
    if (/^(config\.)?chat\.plugins/.test(path)) return 'plugins'
    return path.split('.').at(-1) ?? path
  }
  return Object.fromEntries(Object.entries(fields).map(([path, words]) => [placeOf(path), words]))
}
