/** Markup that is safe to output. Only `html` creates it. */
export type Html = { readonly markup: string }

type Value = Html | string | number | undefined | false | readonly Html[]

/** Builds markup and escapes each value, so text from an agent, a tool or a user never becomes markup. */
export const html = (parts: TemplateStringsArray, ...values: Value[]): Html => ({
  markup: parts.reduce((output, part, index) => output + render(values[index - 1]) + part)
})

function render(value: Value): string {
  if (value === undefined || value === false) return ''
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value))
  return 'markup' in value ? value.markup : value.map(({ markup }) => markup).join('')
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;'
}

const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, char => entities[char] ?? '')

/**
 * Makes characters visible that could disguise an agent's text: direction marks, zero-width characters and control
 * characters (Unicode TR 36, "bidirectional text spoofing").
 */
export const visible = (text: string): string =>
  text.replaceAll(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g,
    char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
  )
