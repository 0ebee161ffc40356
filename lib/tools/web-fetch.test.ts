import { parseEgressPolicy, safeFetch } from '@waystation/egress'
import { describe, expect, test } from 'vitest'
import { htmlText } from '#lib/tools/html-text.ts'
import type { ToolRun } from '#lib/tools/tool.ts'
import { webFetch } from '#lib/tools/web-fetch.ts'
import { cpuTimeOf, longestStretchOf } from '#tests/support/cpu-time.ts'
import { hostilePages } from '#tests/support/fakes/hostile-pages.ts'
import { moved, serving } from '#tests/support/fakes/net-listen.ts'

/** Runs the tool as the executor does: with parsed arguments, and with requests through a policy. */
function run(
  args: { url: string; maxChars?: number },
  allow = '127.0.0.1',
  signal = new AbortController().signal
) {
  const policy = parseEgressPolicy(allow)
  const fetch: ToolRun['fetch'] = (url, init) => safeFetch(policy, url, { ...init, signal })
  return webFetch.execute!(webFetch.input.parse(args), { signal, fetch } as ToolRun)
}

const answering = (type: string | undefined, body: string | Uint8Array, status = 200) =>
  serving((_request, response) => {
    response.writeHead(status, type === undefined ? {} : { 'content-type': type }).end(body)
  })

const filler = 'Waiting is what most of the work consists of. '.repeat(6)

describe('001-20: web-fetch reads public web pages as text', () => {
  test('a page is returned as title and readable text, without scripts and menus', async () => {
    await using server = await answering(
      'text/html; charset=utf-8',
      `<!doctype html><html><head><title>A &amp; B</title><style>p{}</style><script>alert("x")</script></head>
      <body><nav><ul><li><a href=/>Home</a></li></ul></nav><main><h1>Head <em>line</em></h1>
      <p>One&nbsp;two,<br>three &lt;four&gt;.<p>${filler}
      <ul><li>first<li>second</ul><table><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>
      <pre>  x =  1;\n\n    y</pre><script>more()</script><svg><title>no</title><text>no</text></svg></main>
      <footer>Imprint</footer></body></html>`
    )
    const result = await run({ url: moved(server.origin, '/page') })
    expect(result).toEqual({
      url: `${server.origin}/page`,
      status: 200,
      title: 'A & B',
      contentType: 'text/html',
      text: [
        '# Head line',
        '',
        'One two,',
        'three <four>.',
        '',
        filler.trim(),
        '',
        '- first',
        '- second',
        '',
        'a\tb',
        'c\td',
        '',
        '  x =  1;',
        '',
        '    y'
      ].join('\n'),
      truncated: false
    })
    expect(webFetch.output!.parse(result)).toEqual(result)
    expect(server.requests[0]!.headers.accept).toContain('text/html')
  })

  test.each([
    ['no main element', `<nav>Menu</nav><div>${filler}</div>`, filler.trim()],
    [
      'a main element that is too small',
      `<main>Loading</main><div>${filler}</div>`,
      `Loading\n${filler.trim()}`
    ],
    ['an unclosed menu', `<nav>Menu<div>${filler}</div>`, `Menu\n${filler.trim()}`],
    ['an unclosed drawing', `<svg><path><div>${filler}</div>`, filler.trim()],
    ['little text', '<nav>Menu</nav><p>Hello</p>', 'Menu\n\nHello'],
    ['no markup', 'a < b & c', 'a < b & c'],
    ['a comment with a script', '<!-- <script> --><p>Hello</p><!-- --!>there', 'Hello\n\nthere'],
    ['a script that mentions tags', '<script>"<p>no</p>"</script>yes', 'yes'],
    ['nothing', '', '']
  ])('a page with %s is converted', async (_title, html, expected) => {
    expect(await htmlText(html)).toEqual({ text: expected })
  })

  test.each([
    ['application/json', '{"a":  1}'],
    ['application/problem+json; charset=utf-8', '{"title":"no"}'],
    ['text/plain', 'as <b>it</b> is\n'],
    ['text/csv', 'a,b\n'],
    ['application/rss+xml', '<rss/>']
  ])('%s is returned unchanged', async (type, body) => {
    await using server = await answering(type, body)
    expect(await run({ url: server.origin })).toMatchObject({ contentType: type.split(';')[0], text: body })
  })

  test.each([
    [undefined, '<!DOCTYPE html><p>Hello</p>', 'text/html', 'Hello'],
    [undefined, 'just words', 'text/plain', 'just words'],
    ['text/html', '<meta charset="windows-1252"><p>gr\xfcn', 'text/html', 'grün'],
    ['text/html; charset=latin1', '<meta charset="utf-8"><p>gr\xfcn', 'text/html', 'grün'],
    ['text/html', '<p>gr\xc3\xbcn', 'text/html', 'grün']
  ])('type "%s" of %j is detected', async (type, bytes, contentType, text) => {
    await using server = await answering(type, Buffer.from(bytes, 'latin1'))
    expect(await run({ url: server.origin })).toMatchObject({ contentType, text })
  })

  test.each([
    ['application/pdf', '%PDF-1.7'],
    ['image/png', '\x89PNG'],
    [undefined, 'MZ\0\0']
  ])('type "%s" is rejected with a sentence', async (type, body) => {
    await using server = await answering(type, body)
    await expect(run({ url: server.origin })).rejects.toMatchObject({
      code: 'UNREADABLE'
    })
  })

  test('an error page is a result with its status', async () => {
    await using server = await answering('text/html', '<h1>Not here</h1>', 404)
    expect(await run({ url: server.origin })).toMatchObject({ status: 404, text: '# Not here' })
  })

  test('long text is cut at 50,000 characters or at maxChars, with a note', async () => {
    await using server = await answering('text/plain', 'ab😀'.repeat(20_000))
    const whole = await run({ url: server.origin })
    expect(whole.truncated).toBe(true)
    expect(whole.text).toHaveLength(
      50_000 + '\n\n[Truncated: these are the first 50000 of 80000 characters.]'.length
    )
    expect((await run({ url: server.origin, maxChars: 3 })).text).toMatch(
      /^ab\ufffd\n\n\[Truncated: .* 3 of 80000 /
    )
    expect((await run({ url: server.origin, maxChars: 80_000 })).truncated).toBe(false)
  })

  test('more than 2 MiB, private targets and endless redirects are rejected', async () => {
    await using server = await answering('text/plain', 'a'.repeat(2 * 1024 * 1024 + 1))
    await expect(run({ url: server.origin })).rejects.toMatchObject({ code: 'TOO_LARGE' })
    await expect(run({ url: server.origin }, '')).rejects.toMatchObject({ code: 'BLOCKED_TARGET' })
    await expect(run({ url: 'file:///etc/passwd' })).rejects.toMatchObject({ code: 'BAD_URL' })
    const loop = run({ url: moved(server.origin, '') })
    await expect(loop).rejects.toMatchObject({ code: 'TOO_MANY_REDIRECTS' })
  })

  test('invalid arguments cause no request', () => {
    for (const args of [
      {},
      { url: '' },
      { url: 'a', maxChars: 0 },
      { url: 'a', maxChars: 1.5 },
      { url: 'a', maxChars: 1e9 }
    ]) {
      expect(webFetch.input.safeParse(args).success).toBe(false)
    }
  })
})

describe('hostile HTML takes time in proportion to its length, in small slices', () => {
  // `tests/long/hostile-pages.test.ts` reads all pages.
  const selected = ['text at every depth', 'misnested tags', 'half entities', 'empty lines']
  test.each(hostilePages().filter(([title]) => selected.includes(title)))('%s', async (_title, html) => {
    let longestSlice = 0
    const total = await cpuTimeOf(async () => {
      longestSlice = await longestStretchOf(() => htmlText(html))
    })
    // Measured: 20–800 ms in total, 2–110 ms per slice. A tree-building parser took from 16 s to over a minute.
    expect(total).toBeLessThan(6_000)
    expect(longestSlice).toBeLessThan(1_500)
  })

  test('22 X4: whitespace is cleaned in slices of 64 KiB, and other work runs between them', async () => {
    const html = `<pre>${'a\n'.repeat(512 * 1024)}`
    let turns = 0
    let isRead = false
    const count = () => {
      turns++
      if (!isRead) setImmediate(count)
    }
    setImmediate(count)
    const { text } = await htmlText(html)
    isRead = true
    expect(text).toHaveLength(1024 * 1024 - 1)
    // 17 slices of markup are parsed, then 16 slices of text are cleaned.
    expect(turns).toBeGreaterThanOrEqual(32)
  })

  test('reading stops when the call is aborted', async () => {
    const stop = new AbortController()
    const reason = new Error('stopped')
    const reading = htmlText('<div>x'.repeat(300_000), stop.signal)
    stop.abort(reason)
    await expect(reading).rejects.toBe(reason)
  })
})
