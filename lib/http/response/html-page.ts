import { type Html, html } from './html.ts'

/** Tells pages that need the reader's input from those that only inform or report a failure. */
export type Tone = 'you' | 'plain' | 'fail'

type HtmlPageOptions = {
  title?: string
  script?: { code: string; nonce: string }
  look?: string
  beside?: Html
}

/**
 * Renders a complete page that loads nothing. `title` is the document's title. `script` is our own code with the nonce
 * that the page's policy allows. `look` is CSS that changes the look, and `beside` is decoration next to the content.
 */
export function htmlPage(
  tone: Tone,
  heading: string,
  content: Html,
  { title = 'Answer · Waystation', script, look = '', beside }: HtmlPageOptions = {}
): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${{ markup: style + look }}</style>
</head>
<body>
<main class="${tone}">
<h1>${heading}</h1>
${content}
</main>
${beside}
${script && html`<script nonce="${script.nonce}">${{ markup: script.code }}</script>`}</body>
</html>
`.markup
}

/** Copies the design tokens of `app/globals.css`, because the page loads no stylesheet. */
const style = `
:root{color-scheme:light dark;--ground:light-dark(#fff,#0f171c);--panel:light-dark(#f4f7f8,#16212a);--ink:light-dark(#14212b,#e4ebef);--muted:light-dark(#52616d,#93a4b0);--line:light-dark(#d3dbe0,#27343e);--rail:light-dark(#768895,#6a7d8a);--you:light-dark(#8a4b00,#ffc14d);--tint:light-dark(#fff1d6,#2a2312);--fail:light-dark(#b0261c,#ff8f85)}
*,::before,::after{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:15px/24px Overpass,system-ui,sans-serif;-webkit-text-size-adjust:100%}
main{position:relative;max-width:680px;margin:0 auto;padding:32px 20px 48px 44px;min-height:100dvh}
main::before{content:"";position:absolute;left:20px;top:0;bottom:0;width:2px;background:var(--rail)}
main::after{content:"";position:absolute;left:14px;top:39px;width:14px;height:14px;border:2px solid var(--rail);border-radius:50%;background:var(--ground)}
main.you::after{border-color:var(--you)}main.fail::after{border-color:var(--fail);border-radius:0}
h1{font-size:20px;line-height:28px;font-weight:600;margin:0;overflow-wrap:anywhere;white-space:pre-wrap}
p{margin:8px 0 0;overflow-wrap:anywhere}p.muted,small{color:var(--muted)}p.code{margin:16px 0 0;font:600 28px/36px "Overpass Mono",ui-monospace,monospace;letter-spacing:.08em;user-select:all}p.question{white-space:pre-wrap;font-weight:600}p.fail{color:var(--fail);font-weight:600;margin-top:16px}
dl{display:grid;grid-template-columns:auto minmax(0,1fr);gap:4px 16px;margin:16px 0 0}dt{color:var(--muted)}dd{margin:0;overflow-wrap:anywhere}
figure{margin:16px 0 0}figcaption{color:var(--muted)}
pre{margin:4px 0 0;padding:8px 12px;border:1px solid var(--line);border-radius:3px;background:var(--panel);max-height:50vh;overflow:auto;font:13px/19px "Overpass Mono",ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere}
form{margin:16px 0 0;display:flex;flex-direction:column;gap:12px}
fieldset{border:0;margin:0;padding:0;min-width:0}legend{padding:0}
label.option{display:grid;grid-template-columns:20px minmax(0,1fr);gap:8px;align-items:start;min-height:44px;padding:10px 0;border-bottom:1px solid var(--line)}
label.option input{width:18px;height:18px;margin:3px 0 0;accent-color:var(--ink)}label.option small{display:block}
label.words{display:block;color:var(--muted)}
input.field,input[type=text]{min-height:44px}input.field,input[type=text],textarea{display:block;width:100%;margin-top:4px;padding:8px;border:1px solid var(--rail);border-radius:3px;background:var(--panel);color:var(--ink);font:inherit;font-size:16px;resize:vertical}
p.buttons,.buttons+p{margin-top:16px}.buttons{display:flex;flex-wrap:wrap;gap:12px}
button,a.button{min-height:44px;padding:0 16px;border:1px solid var(--rail);border-radius:3px;background:transparent;color:var(--ink);font:inherit;font-weight:600;line-height:20px;cursor:pointer;max-width:100%;overflow-wrap:anywhere}
a.button{display:inline-flex;align-items:center;text-decoration:none}
ul{margin:16px 0 0;padding:0;list-style:none}li{padding:10px 0;border-bottom:1px solid var(--line);overflow-wrap:anywhere}li small{display:block}
button.primary,a.primary{background:var(--ink);border-color:var(--ink);color:var(--panel)}
a{color:inherit;text-underline-offset:3px;display:inline-block;padding:10px 0}
:focus-visible{outline:2px solid var(--ink);outline-offset:2px}
time{font-variant-numeric:tabular-nums}
`
