export type Role = 'owner' | 'editor' | 'operator' | 'viewer'

/** The roles with a short description each, from the fewest permissions to the most. */
export const roles: ReadonlyArray<{ value: Role; label: string; hint: string }> = [
  { value: 'viewer', label: 'Viewer', hint: 'Reads sessions.' },
  { value: 'operator', label: 'Operator', hint: 'Chats with agents and answers their requests.' },
  { value: 'editor', label: 'Editor', hint: 'Also edits agents and connections.' },
  { value: 'owner', label: 'Owner', hint: 'Manages everything, including members and keys.' }
]

export const roleName = (role: Role): string => roles.find(({ value }) => value === role)?.label ?? role

/** The permissions of a role, to complete a sentence like "You can …". */
export const mayDo: Record<Role, string> = {
  viewer: 'read sessions',
  operator: 'chat with agents and answer their requests',
  editor: 'chat with agents, answer their requests and edit agents',
  owner: 'do everything, including managing members'
}
