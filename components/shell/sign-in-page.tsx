import { Door } from './door.tsx'
import { type Act, OtherAccount, type Way, WaysIn } from './ways-in.tsx'

type SignInProps = {
  /** Local mode: the one way in is a link that the server printed. */
  local: boolean
  providers: readonly Way[]
  /** The path to go to then. */
  wanted: string
  /** Why the last try failed: a word of `lib/auth/sign-in-fault.ts`, or anything that somebody wrote there. */
  fault: string | undefined
  /** Somebody who has signed in and belongs to nothing here. */
  stranger: { name: string; account?: string } | undefined
  /** Nobody owns this server yet. */
  unclaimed: boolean
  signIn: Act
  signOut: Act
}

const sentences: Record<string, string> = {
  denied: 'You were not signed in: it was declined there, by you or for you. Nothing has changed here.',
  stale:
    'That sign-in was not the one this browser began, or it took too long. Nothing is wrong with your account: try again.'
}
const misconfigured =
  'Signing in did not work because of how this server, or the provider, is set up. Whoever runs it finds the reason in its log.'

/** The door: what this is, why nobody came in if somebody tried, and one button for each way. */
export function SignInPage(props: SignInProps) {
  const { local, providers, wanted, fault, stranger, unclaimed, signIn, signOut } = props
  return (
    <Door title="Waystation">
      <p className="-mt-5 font-serif text-agent">
        Agents that wait: for you, for an account, for another system. Close the tab; they go on exactly where
        they stopped.
      </p>
      {fault === undefined || stranger !== undefined ? null : (
        <p role="alert" data-hook="sign-in-error" data-error={fault} className="text-fail">
          {sentences[fault] ?? misconfigured}
        </p>
      )}
      {stranger === undefined ? null : (
        <div role="alert" data-hook="not-a-member" className="flex flex-col gap-2">
          <p className="font-semibold">You are not a member of any workspace here.</p>
          <p>
            {unclaimed
              ? 'Nobody is, yet: the first owner opens the link that the server printed when it started.'
              : 'Ask one of its owners for an invite link, and open it in this browser.'}
          </p>
        </div>
      )}
      {stranger !== undefined ? (
        <OtherAccount name={stranger.name} account={stranger.account} wanted={wanted} signOut={signOut} />
      ) : local ? (
        <LocalOwner />
      ) : providers.length > 0 ? (
        <WaysIn providers={providers} wanted={wanted} signIn={signIn} />
      ) : (
        <p>
          No way to sign in is set up here. Set <Code>AUTH_GITHUB_ID</Code> and{' '}
          <Code>AUTH_GITHUB_SECRET</Code>, or any OpenID Connect provider (docs/people.md), or use the API
          with a key.
        </p>
      )}
      {unclaimed && stranger === undefined ? (
        <p className="text-muted">
          Nobody owns this server yet. Its first owner opens the link that it printed when it started.
        </p>
      ) : null}
    </Door>
  )
}

/** How to get a sign-in link. */
const LocalOwner = () => (
  <div data-hook="link-help" className="flex flex-col gap-2">
    <p>
      To sign in, open the link that <Code>npm start</Code> printed in its terminal. It works once.
    </p>
    <p>
      For another link, run <Code>npm run link</Code> in the folder of this server.
    </p>
  </div>
)

const Code = ({ children }: { children: string }) => (
  <code className="whitespace-nowrap font-mono text-mono">{children}</code>
)
