import { mayDo, type Role } from '#components/workspace/roles.ts'
import { type Guest, OtherAccount, type SignInMethods, Submit, WaysIn } from './sign-in-methods.tsx'
import { SignedOutPage } from './signed-out-page.tsx'

/**
 * An invite link as a visitor sees it. `claim` makes the visitor the first owner of the server. `over` says
 * why the link no longer works. `member` is the role that the visitor already has.
 */
type Offer = {
  workspaceName: string
  role: Role
  claim: boolean
  createdBy: string
  over?: 'used' | 'revoked' | 'expired'
  member?: Role
}

type JoinProps = SignInMethods & {
  /** Undefined: there is no such link. */
  offer: Offer | undefined
  person: Guest | undefined
  /** The path of this page. */
  path: string
}

const why = {
  used: 'This link has already been used. Each link works for one person only.',
  revoked: 'This link was revoked.',
  expired: 'This link has expired.'
}

/** The page of an invite link. It shows workspace, role and inviter, or why the link does not work. */
export function JoinPage({ offer, person, path, providers, signIn, signOut }: JoinProps) {
  if (offer === undefined)
    return (
      <SignedOutPage title="Invite link not found" over>
        <p>The link may be incomplete. Copy the whole link, or ask for a new one.</p>
      </SignedOutPage>
    )
  const { workspaceName, role, claim, createdBy, over, member } = offer
  if (member !== undefined && (!claim || over !== undefined))
    return (
      <SignedOutPage title={`You're already a member of ${workspaceName}`} over>
        <p>
          Your role is {member}.{over === undefined ? ' The link still works for another person.' : ''}
        </p>
        <a href="/sessions" className="tap inline-flex items-center self-start underline underline-offset-3">
          Open sessions
        </a>
      </SignedOutPage>
    )
  if (over !== undefined)
    return (
      <SignedOutPage title="This link no longer works" over>
        <p>
          {claim ? 'This server already has an owner.' : why[over]} Ask a workspace owner for{' '}
          {claim ? 'an invite link' : 'a new one'}.
        </p>
      </SignedOutPage>
    )
  return (
    <SignedOutPage title={claim ? 'Become the first owner' : `Join ${workspaceName}`}>
      {claim ? (
        <p>
          This server has no owner yet. The first person who signs in through this link becomes the workspace
          owner. The workspace includes everything the local owner had.
        </p>
      ) : (
        <p data-hook="invitation" className="[overflow-wrap:anywhere]">
          {createdBy} invites you to join as <strong>{role}</strong>. You can {mayDo[role]}.
        </p>
      )}
      {person === undefined ? (
        <>
          <p>Sign in first. You'll return to this page.</p>
          <WaysIn providers={providers} wanted={path} signIn={signIn} />
        </>
      ) : (
        <>
          <form method="post" action={`${path}/accept`}>
            <Submit hook={claim ? 'claim-server' : 'join-workspace'} tone="primary">
              {claim ? 'Become owner' : `Join as ${role}`}
            </Submit>
          </form>
          <OtherAccount name={person.name} account={person.account} wanted={path} signOut={signOut} />
        </>
      )}
    </SignedOutPage>
  )
}
