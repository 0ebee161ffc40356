/**
 * What this package is made of: the parts of the playground's own session. The one file that reaches out of the
 * package; the build puts what it names into the bundle.
 */
export { CallCard } from '../../../components/session/call-card.tsx'
export { FailedBar } from '../../../components/session/failed-bar.tsx'
export { Header } from '../../../components/session/header.tsx'
export { Log } from '../../../components/session/log.tsx'
export { ProblemBar } from '../../../components/session/problem-bar.tsx'
export { useSessionContext, useSessionState } from '../../../components/session/session-context.ts'
export { SessionScope } from '../../../components/session/session-scope.tsx'
export { createSessionStore, type SessionStore } from '../../../components/session/session-store.ts'
export { useLocation } from '../../../components/session/use-location.ts'
export { useNow } from '../../../components/session/use-now.ts'
export { Waits } from '../../../components/session/waits.tsx'
export { winnerWords } from '../../../components/session/words.ts'
export { Writing } from '../../../components/session/writing.tsx'
export { PortalContext } from '../../../components/ui/portal.ts'
export { waitingFor } from '../../protocol/src/call/call.ts'
