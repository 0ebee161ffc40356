import { refusedPage } from '#lib/http/connect-pages.ts'
import { visitRoute } from '#lib/http/visit-route.ts'
import { show } from './show.ts'

const door = visitRoute('/connect/{ticket}', show, refusedPage)

/** Looking goes on to the provider for whoever began it; everybody else is asked first. */
export const GET = door
export const POST = door
