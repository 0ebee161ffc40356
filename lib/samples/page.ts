import { house } from '#lib/kernel/house.ts'

/** A page for the first fetch of a fresh clone, which may have no network. Local mode only. */
export function samplePage(): Response {
  if (!house().env.local) return new Response('Not found', { status: 404 })
  return new Response(page, { headers: { 'content-type': 'text/html; charset=utf-8' } })
}

const page = `<!doctype html>
<html lang="en">
<title>Signal box, Acme Junction</title>
<main>
  <h1>Signal box, Acme Junction</h1>
  <p>Every train that enters a section waits until the section ahead is clear. Nobody holds it in memory:
  the lever stays where it was put, whoever is on duty.</p>
  <p>Wagon Acme 7 leaves tomorrow at 06:40.</p>
</main>
</html>
`
