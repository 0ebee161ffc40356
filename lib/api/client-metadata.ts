import { readClientDocument } from '#lib/features/connections/mcp/client-document.ts'
import { raw } from '#lib/http/raw.ts'
import { jsonResponse } from '#lib/http/response/json-response.ts'
import { publicPaths } from '#lib/kernel/public-paths.ts'

/** Describes this server to authorization servers that use its URL as a client ID (docs/mcp.md). */
export const clientMetadataRoute = raw(
  { actor: 'public', path: publicPaths.clientMetadata },
  async ({ ctx }) => jsonResponse(readClientDocument(ctx.ports.origin))
)
