import { mayDo, type Role } from '#components/settings/roles.ts'
import { Button } from '#components/ui/button.tsx'
import { Door } from './door.tsx'
import { type Act, OtherAccount, type Way, WaysIn } from './ways-in.tsx'

export type Offer = {
  workspaceName: string
  role: Role
  claim: boolean
  createdBy: string
  over?: 'used' | 'revoked' | 'expired'
  member?: Role
}

type JoinProps = {
  /** Absent: no link ends like that. */
  offer: Offer | undefined
  person: { name: string; account?: string } | undefined
  /** Of this page. */
  path: string
  providers: readonly Way[]
  signIn: Act
  signOut: Act
}

const why = {
  used: 'This link has been used. Each lets one person in.',
  revoked: 'This link was taken back.',
  expired: 'This link is past its time.'
}

/** What an invite link says: into what, as what, and from whom; then the button. */
export function JoinPage({ offer, person, path, providers, signIn, signOut }: JoinProps) {
  if (offer === undefined)
    return (
      <Door title="This link opens nothing" over>
        <p>Perhaps it was not copied whole. Ask for it again.</p>
      </Door>
    )
  const { workspaceName, role, claim, createdBy, over, member } = offer
  if (member !== undefined && (!claim || over !== undefined))
    return (
      <Door title={`You are a member of ${workspaceName}`} over>
        <p>
          Your role there is {member}.{over === undefined ? ' The link was not used up.' : ''}
        </p>
        <a href="/sessions" className="tap inline-flex items-center self-start underline underline-offset-3">
          To its sessions
        </a>
      </Door>
    )
  if (over !== undefined)
    return (
      <Door title="This link is over" over>
        <p>
          {claim ? 'This server has an owner.' : why[over]} Ask an owner of the workspace for{' '}
          {claim ? 'an invite link' : 'another one'}.
        </p>
      </Door>
    )
  return (
    <Door title={claim ? 'Become the first owner' : `Join ${workspaceName}`}>
      {claim ? (
        <p>
          Nobody owns this server yet. Whoever opens this link and signs in owns its workspace and everything
          in it, and takes over what the local owner had.
        </p>
      ) : (
        <p data-hook="invitation" className="[overflow-wrap:anywhere]">
          {createdBy} invites you as <strong>{role}</strong>: you {mayDo[role]}.
        </p>
      )}
      {person === undefined ? (
        <>
          <p>Sign in first; you come back here.</p>
          <WaysIn providers={providers} wanted={path} signIn={signIn} />
        </>
      ) : (
        <>
          <form method="post" action={`${path}/accept`}>
            <Button
              type="submit"
              tone="primary"
              data-hook={claim ? 'claim-server' : 'join-workspace'}
              className="max-w-full shrink"
            >
              <span className="truncate">{claim ? 'Become its owner' : `Join as ${role}`}</span>
            </Button>
          </form>
          <OtherAccount name={person.name} account={person.account} wanted={path} signOut={signOut} />
        </>
      )}
    </Door>
  )
}
