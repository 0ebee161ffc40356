import { readClientDocument } from '#lib/connections/mcp/client-document.ts'
import { answerWith } from '#lib/http/answer-with.ts'
import { jsonAnswer } from '#lib/http/json-answer.ts'

/** What this server says of itself to authorization servers that take its address for a client's ID (docs/mcp.md). Public. */
export const GET = (request: Request): Promise<Response> =>
  answerWith(request, '/client-metadata.json', async () => jsonAnswer(readClientDocument()))
