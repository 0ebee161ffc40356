/** A line of the terminal: typed after a prompt, or printed. */
export type Line = { text: string; kind: 'typed' | 'output' }

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** The strip under the page, as HTML: a caption, and a terminal of two lines. */
export const stripOf = (caption: string, lines: Line[]): string => `<!doctype html>
<style>
  body { margin: 0; height: 112px; background: #14161a; color: #e8e6e1; box-sizing: border-box; padding: 12px 20px;
    font: 15px/26px ui-monospace, 'IBM Plex Mono', Menlo, Consolas, monospace; overflow: hidden }
  p { margin: 0; white-space: pre; text-overflow: ellipsis; overflow: hidden }
  .caption { font: 600 17px/30px system-ui, 'IBM Plex Sans', sans-serif; color: #f0b34a }
  .typed::before { content: '$ '; color: #8a8f98 }
  .output { color: #a9adb5 }
</style>
<p class="caption">${escaped(caption)}</p>
${lines.map(({ text, kind }) => `<p class="${kind}">${escaped(text)}</p>`).join('\n')}`
