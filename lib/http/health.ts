import { house } from '#lib/kernel/house.ts'

/** How this process is: `200` when it can do its work, `503` with what is wrong. Needs no credential. */
export async function health(): Promise<Response> {
  const { ok, body } = await house().health()
  return Response.json(body, { status: ok ? 200 : 503, headers: { 'cache-control': 'no-store' } })
}
