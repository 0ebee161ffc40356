/** Markup that may be written out as it is. Made by `html` alone. */
export type Html = { readonly markup: string }

type Value = Html | string | number | undefined | false | readonly Html[]

/** Markup with what is put into it as text: nothing that comes from an agent, a tool or a person is ever markup. */
export const html = (parts: TemplateStringsArray, ...values: Value[]): Html => ({
  markup: parts.reduce((made, part, index) => made + written(values[index - 1]) + part)
})

function written(value: Value): string {
  if (value === undefined || value === false) return ''
  if (typeof value === 'string' || typeof value === 'number') return escaped(String(value))
  return 'markup' in value ? value.markup : value.map(({ markup }) => markup).join('')
}

const names: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, sign => names[sign] ?? '')

/**
 * What an agent wrote, with the signs shown that would have one read something else than what it is: those that turn the
 * direction of text, that have no width, and that are no text at all (Unicode TR 36, "bidirectional text spoofing").
 */
export const visible = (text: string): string =>
  text.replaceAll(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g,
    sign => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`
  )
