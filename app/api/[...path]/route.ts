import { fromNext } from '#lib/http/from-next.ts'

/**
 * `server.ts` answers the API in front of Next (decision 049). A request that reaches Next all the same, because Next
 * changed its address, gets the same answer.
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
