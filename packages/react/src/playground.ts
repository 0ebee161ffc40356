/**
 * The components of the playground's session that this package contains. Only this file imports code from
 * outside the package, and the build bundles that code.
 */
import './no-eval.ts'

export { createObservers } from '../../../components/browser/observers.ts'
export { QueriesProvider, useRead } from '../../../components/browser/queries.tsx'
export { useNow } from '../../../components/browser/use-now.ts'
export { CallCard } from '../../../components/session/cards/call-card.tsx'
export { WaitingDock } from '../../../components/session/cards/waiting-dock.tsx'
export { CustomWidgetsContext } from '../../../components/session/cards/widgets/custom-widgets.ts'
export { ComposerArea } from '../../../components/session/composer/composer-area.tsx'
export { FailedBar } from '../../../components/session/composer/failed-bar.tsx'
export { Header } from '../../../components/session/header/header.tsx'
export { ProblemBar } from '../../../components/session/header/problem-bar.tsx'
export { answerTo, isBusy } from '../../../components/session/store/outbox.ts'
export {
  noCapabilities,
  onlyTell,
  useSessionContext,
  useSessionState
} from '../../../components/session/store/session-context.ts'
export { SessionScope } from '../../../components/session/store/session-scope.tsx'
export type { InitialSession, SessionState } from '../../../components/session/store/session-state.ts'
export { createSessionStore, type SessionStore } from '../../../components/session/store/session-store.ts'
export { useLocation } from '../../../components/session/store/use-location.ts'
export { Log } from '../../../components/session/transcript/log.tsx'
export { winnerWords } from '../../../components/session/wording/call-words.ts'
export { LinkContext } from '../../../components/ui/link.tsx'
export { PortalContext } from '../../../components/ui/portal.ts'
export { waitingFor } from '../../protocol/src/call/pending.ts'
