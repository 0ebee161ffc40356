export type Role = 'owner' | 'editor' | 'operator' | 'viewer'

/** What each role is for, from little to everything, for whoever chooses one. */
export const roles: ReadonlyArray<{ value: Role; label: string }> = [
  { value: 'viewer', label: 'viewer: read only' },
  { value: 'operator', label: 'operator: chat and answer' },
  { value: 'editor', label: 'editor: also edit agents' },
  { value: 'owner', label: 'owner: full access' }
]

/** The same, said to the one who has it. */
export const mayDo: Record<Role, string> = {
  viewer: 'read sessions',
  operator: 'chat with agents and answer their requests',
  editor: 'chat with agents, answer their requests and edit agents',
  owner: 'do everything, including managing members'
}
