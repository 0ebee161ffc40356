import { fromNext } from '#lib/http/from-next.ts'

/**
 * `server.ts` answers API requests before Next (decision 049). A request that reaches Next anyway, because
 * Next changed its URL, gets the same response.
 */
export {
  fromNext as DELETE,
  fromNext as GET,
  fromNext as HEAD,
  fromNext as OPTIONS,
  fromNext as PATCH,
  fromNext as POST,
  fromNext as PUT
}
