import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import postgres from 'postgres'

/**
 * The baseline for callbacks: a Node server that stores the body of each POST with one committed INSERT. Takes the
 * database's URL as its argument and sends its port to the parent process.
 */
const sql = postgres(process.argv[2] ?? '', { max: 6, onnotice: () => {} })
await sql`create table if not exists bare_messages (id bigint generated always as identity primary key, text text not null)`
const server = createServer(async (request, response) => {
  const [row] = await sql`insert into bare_messages (text) values (${await text(request)}) returning id`
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ ok: true, messageId: row?.id }))
})
// Longer than the other server's part of a measurement, so that idle connections stay open.
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
