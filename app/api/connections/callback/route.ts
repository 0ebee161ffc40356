import { refusedPage } from '#lib/http/connect-pages.ts'
import { visitRoute } from '#lib/http/visit-route.ts'
import { returnConnect } from '#lib/sessions/return-connect.ts'

/**
 * Where every provider sends browsers back to (RFC 6749, 3.1.2), by this one address. What its query says is redeemed here
 * and stands in no other address: the browser goes on to one without.
 */
export const GET = visitRoute(
  '/api/connections/callback',
  async (ctx, visit) => {
    const returned = await returnConnect(ctx, visit.url, visit)
    if ('refused' in returned) return { html: refusedPage(returned.refused), status: 403 }
    return { redirect: `/connect/done/${returned.attemptId}` }
  },
  refusedPage
)
