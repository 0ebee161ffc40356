import { admitAnswerPage } from '#lib/deliveries/answer-by-page.ts'
import { pageRoute } from '#lib/http/page-route.ts'
import { refusedPage } from './asked.ts'
import { show } from './show.ts'

const door = pageRoute(
  '/answer/{token}',
  (ctx, { token }: { token: string }) => admitAnswerPage(ctx, token),
  show,
  refusedPage
)

/** Looking changes nothing: scanners of mail and previews of chats look at every link. */
export const GET = door
export const HEAD = door
export const POST = door
