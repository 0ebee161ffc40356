export type Role = 'owner' | 'editor' | 'operator' | 'viewer'

/** What each role is for, from little to everything, for whoever chooses one. */
export const roles: ReadonlyArray<{ value: Role; label: string }> = [
  { value: 'viewer', label: 'viewer: reads' },
  { value: 'operator', label: 'operator: talks and answers' },
  { value: 'editor', label: 'editor: also changes agents' },
  { value: 'owner', label: 'owner: everything' }
]

/** The same, said to the one who has it. */
export const mayDo: Record<Role, string> = {
  viewer: 'read its sessions',
  operator: 'talk to its agents and answer for people',
  editor: 'talk to its agents, answer for people and change the agents',
  owner: 'may do everything, also decide who else belongs to it'
}
