export type Role = 'owner' | 'editor' | 'operator' | 'viewer'

/** The roles with a short description each, from the fewest permissions to the most. */
export const roles: ReadonlyArray<{ value: Role; label: string }> = [
  { value: 'viewer', label: 'viewer: read only' },
  { value: 'operator', label: 'operator: chat and answer' },
  { value: 'editor', label: 'editor: also edit agents' },
  { value: 'owner', label: 'owner: full access' }
]

/** The permissions of a role, to complete a sentence like "You can …". */
export const mayDo: Record<Role, string> = {
  viewer: 'read sessions',
  operator: 'chat with agents and answer their requests',
  editor: 'chat with agents, answer their requests and edit agents',
  owner: 'do everything, including managing members'
}
