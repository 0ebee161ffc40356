/**
 * Writes a JSON value as HCL. `${` and `%{` are escaped, so that a text remains text. HCL does not have the escapes
 * `\b` and `\f`, and no surrogates.
 */
export const hclValue = (value: unknown): string =>
  JSON.stringify(value)
    .replaceAll(/\\(?:ud[89a-f]..|.)/g, found => escapes[found.slice(0, 3)] ?? found)
    .replaceAll(/[$%](?=\{)/g, sign => sign + sign)

const escapes: Record<string, string> = { '\\b': '\\u0008', '\\f': '\\u000c', '\\ud': '\\ufffd' }

/** Writes a block with a label, its attributes that are not undefined, and the blocks in it. */
export function hclBlock(
  type: string,
  label: string | undefined,
  attributes: Record<string, unknown>,
  blocks: readonly string[] = []
): string {
  const lines = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name} = ${hclValue(value)}`)
  const body = [...lines, ...blocks].join('\n').replaceAll(/^(?=.)/gm, '  ')
  return `${type}${label === undefined ? '' : ` ${hclValue(label)}`} {\n${body}\n}`
}
