import { html } from '#lib/http/response/html.ts'

/**
 * A picture of a session that waits for a person, beside the words of the sign-in page. It is only decoration, like
 * `components/shell/parked-picture.tsx`, and small screens do not show it.
 */
export const signInPicture = {
  content: html`<div class="picture" aria-hidden="true">
<div class="talk"><b>Ana was charged twice. Please fix it.</b>
<p class="agent">Order 1042 was paid twice, on Monday and on Tuesday. I can refund the second payment.</p>
<p class="row"><code>refund-payment</code><span class="wait">waiting for you</span></p></div>
<div class="card"><p class="row"><b>Refund €49.00 to Ana?</b><span class="wait">7 d left</span></p>
<p>Close the tab or restart the server. The card is still here.</p>
<p class="pills"><b class="first">Refund payment</b><b>Edit</b><b>Decline</b></p></div>
</div>`,
  style: `
.picture{display:none;font-size:14px;line-height:20px;border:1px solid var(--line);border-radius:3px;overflow:hidden}
.picture b{font-weight:600}.picture .talk{position:relative;padding:24px 24px 20px 56px}
.picture .talk::before{content:"";position:absolute;left:28px;top:34px;bottom:0;width:2px;background:var(--rail)}
.picture .talk::after{content:"";position:absolute;left:22px;bottom:23px;width:14px;height:14px;border:2px solid var(--you);border-radius:50%;background:var(--ground)}
.picture .agent{font:16px/26px "Source Serif 4",Georgia,serif;margin:12px 0}
.picture .row{display:flex;justify-content:space-between;gap:16px;margin:0}.picture code{font:13px/20px "Overpass Mono",ui-monospace,monospace}
.picture .wait{color:var(--you)}.picture .card{padding:16px 24px 16px 56px;border-top:2px solid var(--you);background:var(--tint)}
.picture .pills{display:flex;gap:8px}.picture .pills b{padding:4px 12px;border:1px solid var(--rail);border-radius:3px}
.picture .pills .first{background:var(--ink);border-color:var(--ink);color:var(--ground)}
@media(min-width:800px){body{display:grid;grid-template-columns:repeat(2,minmax(0,480px));gap:64px;place-content:center;align-items:center;min-height:100dvh;padding:48px}
main{margin:0;padding:24px 0 24px 40px;min-height:0}main::before{left:5px}main::after{left:-1px;top:31px}.picture{display:block}}
`
}
