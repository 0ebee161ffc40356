import { CodeRow } from '#components/workspace/code-row.tsx'
import { type Guest, OtherAccount, type SignInMethods, WaysIn } from './sign-in-methods.tsx'
import { SignedOutPage } from './signed-out-page.tsx'

type SignInProps = SignInMethods & {
  /** Local mode: users sign in only with a link that the server printed. */
  local: boolean
  /** The path that opens after sign-in. */
  wanted: string
  /**
   * The `error` of the URL: a code of `lib/auth/sign-in/sign-in-error.ts`, or any text, because a user can
   * edit the URL.
   */
  fault: string | undefined
  /** A user who is signed in but is not a member of any workspace. */
  stranger: Guest | undefined
  /** The server has no owner yet. */
  unclaimed: boolean
}

const sentences: Record<string, string> = {
  denied: 'Sign-in was canceled or denied by the provider. Try again.',
  stale: 'This sign-in took too long or was started in another browser. Try again.'
}
const misconfigured =
  'Sign-in failed because this server or the provider is misconfigured. Ask the server operator to check the log.'
const becomeOwner =
  'This server has no owner yet. To become the first owner, open the link that the server printed at startup.'

/** The sign-in page. If a sign-in failed, it says why. */
export function SignInPage(props: SignInProps) {
  const { local, providers, wanted, fault, stranger, unclaimed, signIn, signOut } = props
  return (
    <SignedOutPage title="Waystation">
      <p className="-mt-4 font-serif text-agent">
        Agents that wait for people and other systems, and continue where they stopped, even days later.
      </p>
      {stranger !== undefined ? (
        <>
          <div role="alert" data-hook="not-a-member" className="flex flex-col gap-2">
            <p className="font-semibold">You're not a member of any workspace on this server.</p>
            <p>
              {unclaimed
                ? becomeOwner
                : 'Ask a workspace owner for an invite link, then open the link in this browser.'}
            </p>
          </div>
          <OtherAccount name={stranger.name} account={stranger.account} wanted={wanted} signOut={signOut} />
        </>
      ) : (
        <>
          {fault === undefined ? null : (
            <p role="alert" data-hook="sign-in-error" data-error={fault} className="text-fail">
              {sentences[fault] ?? misconfigured}
            </p>
          )}
          {local ? (
            <LocalOwner />
          ) : providers.length > 0 ? (
            <WaysIn providers={providers} wanted={wanted} signIn={signIn} />
          ) : (
            <p>
              No sign-in method is configured. Set <Code>AUTH_GITHUB_ID</Code> and{' '}
              <Code>AUTH_GITHUB_SECRET</Code> for GitHub, or configure an OpenID Connect provider. You can
              also use the API with a key.
            </p>
          )}
          {unclaimed ? <p className="text-muted">{becomeOwner}</p> : null}
        </>
      )}
    </SignedOutPage>
  )
}

/** Explains how to get a sign-in link. */
const LocalOwner = () => (
  <div data-hook="link-help" className="flex flex-col gap-2">
    <p>
      To sign in, open the link that <Code>npm start</Code> printed in the terminal. The link works once.
    </p>
    <p>To get a new link, run this in the server's folder:</p>
    <CodeRow code="npm run link" />
  </div>
)

const Code = ({ children }: { children: string }) => (
  <code className="whitespace-nowrap font-mono text-mono">{children}</code>
)
