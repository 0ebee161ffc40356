import type { ServerResponse } from 'node:http'

/** Sends a page for the first `web-fetch` of a new installation. It works without a network. */
export function fetchPage(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page)
}

const page = `<!doctype html>
<html lang="en">
<title>Signal box, Acme Junction</title>
<main>
  <h1>Signal box, Acme Junction</h1>
  <p>Every train that enters a section waits until the section ahead is clear. Each lever stays
  where it was set, even when the shift changes.</p>
  <p>Wagon Acme 7 leaves tomorrow at 06:40.</p>
</main>
</html>
`
