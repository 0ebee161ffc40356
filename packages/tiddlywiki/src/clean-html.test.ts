import fc from 'fast-check'
import { Parser } from 'htmlparser2'
import { expect, test } from 'vitest'
import { cleanHtml } from './clean-html.ts'

const clean = (html: string) => cleanHtml(html, '/wikis/notes')

test.each([
  '<script>alert(1)</script>',
  '<ScRiPt src=https://evil.example/x.js></sCrIpT>',
  '<img src=x onerror=alert(1)>',
  '<img src="https://evil.example/x.png">',
  '<img src="data:image/svg+xml;base64,PHN2Zz4=">',
  '<svg onload=alert(1)><a xlink:href="javascript:alert(1)">x</a></svg>',
  '<math><mtext><style><img src=x onerror=alert(1)></style></mtext></math>',
  '<iframe src="javascript:alert(1)"></iframe>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<object data="https://evil.example"></object><embed src="x">',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="  java\tscript:alert(1)">x</a>',
  '<a href="&#106;avascript:alert(1)">x</a>',
  '<a href="data:text/html,<script>alert(1)</script>">x</a>',
  '<a href="//evil.example">x</a>',
  '<a href="vbscript:x">x</a>',
  '<p style="background:url(https://evil.example/x.png)">x</p><style>*{}</style>',
  '<form action="https://evil.example"><input name=a><button>b</button></form>',
  '<base href="https://evil.example"><meta http-equiv=refresh content="0;url=https://evil.example"><link rel=stylesheet href=x>',
  '<div id="main" name="x" class="fixed inset-0" tabindex=1>x</div>',
  '<textarea><img src=x onerror=alert(1)></textarea><noscript><img src=x onerror=alert(1)></noscript>',
  '<video src=x autoplay></video><audio src=x></audio><source srcset=x>'
])('001-20: no part of %s runs, loads or overlays anything', html => {
  expectHarmless(clean(html))
  expectHarmless(cleanHtml(html, undefined))
})

const names = 'a|img|svg|script|style|iframe|p|div|span|table|td|math|template|h1|textarea|title|plaintext|b'
const attributes = 'href|src|style|onclick|class|id|srcset|formaction|xlink:href|data-x'
const values =
  'javascript:alert(1)|https://evil.example|#Title|data:text/html,x|"><script>|\' onload=x|&#106;avascript:x'
const oneOf = (alternatives: string) => fc.constantFrom(...alternatives.split('|'))
const piece = fc.oneof(
  oneOf(names).map(name => `</${name}>`),
  fc
    .tuple(oneOf(names), oneOf(attributes), oneOf(values))
    .map(([name, key, value]) => `<${name} ${key}="${value}">`),
  fc
    .tuple(oneOf(names), oneOf(attributes), oneOf(values))
    .map(([name, key, value]) => `<${name} ${key}=${value} `),
  fc.constantFrom('<!--', '-->', '<![CDATA[', ']]>', '<', '&lt;script&gt;', 'text', '\0')
)

test('001-20: any combination of tags, attributes and URLs results in harmless HTML', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), pieces => expectHarmless(clean(pieces.join('')))),
    { numRuns: 2_000 }
  )
})

/** Expects only permitted elements and attributes, and only URLs of tiddlers and of the web. */
function expectHarmless(html: string) {
  const parser = new Parser({
    onopentag(name, attribs) {
      expect(name, html).toMatch(
        /^(h[2-5]|p|br|hr|b|a|img|div|span|table|tbody|thead|tr|td|th|blockquote|pre|code|ul|ol|li|details|summary)$/
      )
      for (const [key, value] of Object.entries(attribs)) {
        expect(key, html).toMatch(
          /^(href|target|rel|src|alt|data-tiddler|data-missing|data-error|colspan|rowspan|start|width)$/
        )
        if (key === 'href') expect(value, html).toMatch(/^(https?:|mailto:|\/wikis\/notes\?tiddler=)/)
        if (key === 'src') expect(value, html).toMatch(/^data:image\/(png|jpeg|gif|webp);base64,/)
      }
    }
  })
  parser.end(html)
}

test('001-20: links to tiddlers and web links differ, images of the wiki are shown, and other images become links', () => {
  expect(clean('<a class="tc-tiddlylink tc-tiddlylink-missing" href="#A%20%26%20B">x</a>')).toBe(
    '<a href="/wikis/notes?tiddler=A%20%26%20B" data-tiddler="A &amp; B" data-missing>x</a>'
  )
  expect(cleanHtml('<a href="#A">x</a>', undefined)).toBe('<span>x</span>')
  expect(clean('<a href="#%E0%A4%A">x</a>')).toBe('<span>x</span>')
  expect(clean('<a href="https://a.example/">x</a>')).toBe(
    '<a href="https://a.example/" target="_blank" rel="noopener noreferrer nofollow">x</a>'
  )
  expect(clean('<img src="data:image/png;base64,AAAA" alt="a dot">')).toContain(
    '<img src="data:image/png;base64,AAAA" alt="a dot"'
  )
  expect(clean('<img src="https://a.example/x.png" alt="a map">')).toMatch(/^<a href="https:.*>a map<\/a>$/)
  expect(clean('<img src="data:image/png;base64,AAAA" width="60px">')).toContain(' width="60"')
  for (const width of ['99999', '10%', '0', '1e3'])
    expect(clean(`<img src="data:image/png;base64,AAAA" width="${width}">`)).not.toContain('width')
  expect(clean('<details open><summary>x</summary>y</details>')).toBe(
    '<details><summary>x</summary>y</details>'
  )
  expect(clean('<h1>x</h1><h6>y</h6>')).toBe('<h3>x</h3><h5>y</h5>')
})
